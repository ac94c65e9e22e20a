/**
 * Address blocks that no outgoing connection may reach: everything that the IANA special-purpose registries
 * (RFC 6890, iana-ipv4-special-registry, iana-ipv6-special-registry) do not call plain global unicast, and the
 * addresses at which cloud machines find their own metadata.
 */
const refusedIpv4: readonly Block[] = blocks([
  ['0.0.0.0/8', 'this network'],
  ['10.0.0.0/8', 'private'],
  ['100.64.0.0/10', 'carrier-grade NAT, and the metadata address of Alibaba Cloud'],
  ['127.0.0.0/8', 'loopback'],
  ['168.63.129.16/32', 'the wire server of Azure'],
  ['169.254.0.0/16', 'link-local, and the metadata address of most clouds'],
  ['172.16.0.0/12', 'private'],
  ['192.0.0.0/24', 'protocol assignments, and the metadata address of Oracle Cloud'],
  ['192.0.2.0/24', 'documentation'],
  ['192.31.196.0/24', 'AS112'],
  ['192.52.193.0/24', 'automatic multicast tunnelling'],
  ['192.88.99.0/24', '6to4 relays'],
  ['192.168.0.0/16', 'private'],
  ['192.175.48.0/24', 'AS112'],
  ['198.18.0.0/15', 'benchmarks'],
  ['198.51.100.0/24', 'documentation'],
  ['203.0.113.0/24', 'documentation'],
  ['224.0.0.0/4', 'multicast'],
  ['240.0.0.0/4', 'reserved, and broadcast'],
]);

const globalUnicastIpv6: readonly Block[] = blocks([['2000::/3', 'global unicast']]);

const refusedIpv6: readonly Block[] = blocks([
  ['2001::/23', 'protocol assignments, Teredo among them'],
  ['2001:db8::/32', 'documentation'],
  ['2002::/16', '6to4, which hides an IPv4 address'],
  ['2620:4f:8000::/48', 'AS112'],
  ['3fff::/20', 'documentation'],
]);

/** Forms of an IPv4 address inside an IPv6 one, whose last four bytes are the address that is reached. */
const ipv4InIpv6: readonly Block[] = blocks([
  ['::ffff:0:0/96', 'IPv4-mapped (RFC 4291, 2.5.5.2)'],
  ['64:ff9b::/96', 'NAT64 (RFC 6052)'],
]);

/** Top-level names that belong to no public host (RFC 6761, RFC 6762, RFC 7686, RFC 8375, RFC 9476, and ICANN's reserved ones). */
const privateSuffixes: ReadonlySet<string> = new Set([
  'alt',
  'corp',
  'home',
  'home.arpa',
  'internal',
  'intranet',
  'invalid',
  'lan',
  'local',
  'localdomain',
  'localhost',
  'onion',
  'private',
  'test',
]);

interface Block {
  readonly bytes: readonly number[];
  readonly bits: number;
}

/**
 * Tells whether an IP address in text form belongs to the public internet. IPv4 addresses inside IPv6 ones (mapped,
 * NAT64) are judged as the IPv4 address that they reach. What is no address in standard form is not public.
 */
export function isPublicAddress(address: string): boolean {
  const bytes = parseAddress(address);
  if (bytes === undefined) return false;
  if (bytes.length === 4) return !isIn(bytes, refusedIpv4);
  if (isIn(bytes, ipv4InIpv6)) return !isIn(bytes.slice(12), refusedIpv4);
  return isIn(bytes, globalUnicastIpv6) && !isIn(bytes, refusedIpv6);
}

/**
 * Tells whether a host name could be a public one: it has a dot and does not end in a name reserved for private use.
 * Where it leads must still be checked by address. Case and one trailing dot do not matter.
 */
export function isPublicHostname(hostname: string): boolean {
  const labels = hostname.toLowerCase().replace(/\.$/, '').split('.');
  if (labels.length < 2 || labels.some((label) => label === '' || label.length > 63)) return false;
  return !privateSuffixes.has(labels.at(-1) as string) && !privateSuffixes.has(labels.slice(-2).join('.'));
}

/** Reads an IP address in standard text form (dotted decimal, RFC 4291 section 2.2): 4 or 16 bytes, or undefined. */
export function parseAddress(text: string): readonly number[] | undefined {
  return text.includes(':') ? parseIpv6(text) : parseIpv4(text);
}

function parseIpv4(text: string): number[] | undefined {
  const parts = text.split('.');
  const isDecimal = parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255);
  return parts.length === 4 && isDecimal ? parts.map(Number) : undefined;
}

function parseIpv6(text: string): number[] | undefined {
  const halves = text.split('::');
  if (halves.length > 2) return undefined;
  const [head, tail] = halves.map((half, index) => parseGroups(half, index === halves.length - 1));
  if (head === undefined) return undefined;
  if (halves.length === 1) return head.length === 16 ? head : undefined;
  if (tail === undefined || head.length + tail.length > 14) return undefined;
  return [...head, ...new Array<number>(16 - head.length - tail.length).fill(0), ...tail];
}

function parseGroups(text: string, mayEndInIpv4: boolean): number[] | undefined {
  if (text === '') return [];
  const bytes: number[] = [];
  const groups = text.split(':');
  for (const [index, group] of groups.entries()) {
    if (/^[0-9a-f]{1,4}$/i.test(group)) {
      const value = Number.parseInt(group, 16);
      bytes.push(value >> 8, value & 0xff);
    } else {
      const ipv4 = mayEndInIpv4 && index === groups.length - 1 ? parseIpv4(group) : undefined;
      if (ipv4 === undefined) return undefined;
      bytes.push(...ipv4);
    }
  }
  return bytes;
}

function isIn(bytes: readonly number[], list: readonly Block[]): boolean {
  return list.some((block) =>
    block.bytes.every((byte, index) => matches(byte, bytes[index], block.bits - index * 8)),
  );
}

function matches(expected: number, actual: number | undefined, bitsLeft: number): boolean {
  if (bitsLeft <= 0) return true;
  const mask = bitsLeft >= 8 ? 0xff : (0xff << (8 - bitsLeft)) & 0xff;
  return actual !== undefined && (expected & mask) === (actual & mask);
}

function blocks(table: readonly (readonly [cidr: string, use: string])[]): Block[] {
  return table.map(([cidr]) => {
    const [address, bits] = cidr.split('/');
    const bytes = parseAddress(address ?? '');
    if (bytes === undefined) throw new Error(`no address block: ${cidr}`);
    return { bytes, bits: Number(bits) };
  });
}
