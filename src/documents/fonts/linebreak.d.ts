declare module 'linebreak' {
  /** One place where a text may break (UAX 14). */
  export interface Break {
    readonly position: number;
    readonly required: boolean;
  }

  export default class LineBreaker {
    constructor(text: string);
    nextBreak(): Break | null;
  }
}
