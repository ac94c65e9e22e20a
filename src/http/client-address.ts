import { BlockList, isIPv4, isIPv6 } from 'node:net';

/**
 * Returns a function that finds the client's address: the peer's, or, where the peer is a trusted proxy, the last
 * address of X-Forwarded-For that is none. IPv4 addresses mapped into IPv6 are given as IPv4.
 *
 * @param trustedProxies addresses and CIDR blocks
 * @throws Error naming an entry that is neither
 */
export function createClientAddress(
  trustedProxies: readonly string[],
): (peer: string | undefined, forwardedFor: string | string[] | undefined) => string {
  const trusted = toBlockList(trustedProxies);
  const isTrusted = (address: string): boolean =>
    (isIPv4(address) && trusted.check(address, 'ipv4')) ||
    (isIPv6(address) && trusted.check(address, 'ipv6'));
  return (peer, forwardedFor) => {
    let address = normalize(peer ?? '');
    if (trustedProxies.length === 0 || forwardedFor === undefined) return address;
    const hops = String(forwardedFor).split(',').map(withoutPort);
    while (isTrusted(address)) {
      const next = hops.pop();
      if (next === undefined || (!isIPv4(next) && !isIPv6(next))) break;
      address = next;
    }
    return address;
  };
}

function toBlockList(entries: readonly string[]): BlockList {
  const list = new BlockList();
  for (const entry of entries) {
    const [address = '', prefix, ...rest] = entry.split('/');
    const family = isIPv4(address) ? 'ipv4' : isIPv6(address) ? 'ipv6' : undefined;
    const bits = family === 'ipv4' ? 32 : 128;
    const length = prefix === undefined ? bits : /^\d{1,3}$/.test(prefix) ? Number(prefix) : Number.NaN;
    if (family === undefined || rest.length > 0 || !(length <= bits)) {
      throw new Error(`trusted proxy "${entry}" is neither an address nor a CIDR block`);
    }
    list.addSubnet(address, length, family);
  }
  return list;
}

function normalize(address: string): string {
  if (!address.includes(':')) return address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  return mapped ?? address.replace(/%.*$/, '');
}

/** Some proxies write a port: `192.0.2.1:443`, `[2001:db8::1]:443`. */
function withoutPort(hop: string): string {
  const text = hop.trim();
  const bracketed = /^\[([^\]]*)\](?::\d+)?$/.exec(text)?.[1];
  return normalize(bracketed ?? text.replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1'));
}
