/** Most of one mail's text that is kept. */
export const mailTextChars = 20_000;
