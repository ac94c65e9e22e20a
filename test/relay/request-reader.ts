/** Reads what a client sends, in pieces of any size, and tells the name of each request, in lower case. */
export type RequestReader = (piece: Uint8Array) => void;
