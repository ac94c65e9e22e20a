import type { AccountDependencies } from './account-dependencies.ts';

export interface ModelInfo {
  readonly id: string;
  /** Tokens of prompt and completion together. */
  readonly contextTokens: number;
  /** Most tokens of one completion. */
  readonly completionTokens: number;
}

export interface ModelService {
  /** The configured models that can be reached, in the order of configuration. */
  list(): Promise<readonly ModelInfo[]>;
}

export function createModelService({ models }: AccountDependencies): ModelService {
  return {
    async list() {
      const ids = await models.list();
      return ids.flatMap((id) => {
        const model = models.find(id);
        if (model === undefined) return [];
        const { contextTokens, completionTokens } = model;
        return [{ id, contextTokens, completionTokens }];
      });
    },
  };
}
