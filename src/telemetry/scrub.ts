const credentials = [
  // A user and password in an address. Without a bound, long words would take time quadratic in their length.
  [/\b([a-z][a-z0-9+.-]{0,30}:\/\/)[^\s/"']*@/gi, '$1[redacted]@'],
  [/\b(bearer|basic)\s+[\w.~+/=-]{8,}/gi, '$1 [redacted]'],
  // Keys of this service, of model servers and of webhooks, by their beginnings.
  [/\b(svc_live_|sk-|whsec_)[\w-]{8,}/g, '$1[redacted]'],
] as const;

/** Returns a text without what looks like a credential. Texts of other programs' errors may quote one. */
export function scrub(text: string): string {
  return credentials.reduce((rest, [pattern, replacement]) => rest.replace(pattern, replacement), text);
}
