/**
 * How often an operation that found its document changed under it begins again. Each time somebody else went ahead,
 * so that giving up means that so many did.
 */
export const contentionMax = 200;

export function contended(): Error {
  return new Error('others kept changing the document');
}
