import type { ModelCatalog } from '../ports/model.ts';

/** Joins catalogs: of two that serve the same id, the first does. */
export function joinCatalogs(catalogs: readonly ModelCatalog[]): ModelCatalog {
  return {
    list: async () => [...new Set((await Promise.all(catalogs.map((catalog) => catalog.list()))).flat())],
    find(id) {
      for (const catalog of catalogs) {
        const model = catalog.find(id);
        if (model !== undefined) return model;
      }
      return undefined;
    },
    close: async () => {
      await Promise.all(catalogs.map((catalog) => catalog.close()));
    },
  };
}
