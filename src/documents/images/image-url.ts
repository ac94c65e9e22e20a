import { isIP } from 'node:net';
import { isPublicAddress, isPublicHostname } from '../../domain/network-address.ts';
import { ImageError } from '../../ports/image-source.ts';

/** Longer ones serve no picture, and would only fill logs and memory. */
const urlCharsMax = 8_192;

/**
 * Reads the `https:` URL of a public host, absolute or (for redirects) relative to `base`.
 *
 * Host forms that a browser accepts (decimal, octal, hexadecimal and short IPv4, full-width digits, a trailing dot) are
 * judged as the address that they mean. A port is 443 or at least 1024: the other well-known ports serve no pictures.
 *
 * @throws ImageError `unsafe_image_ref` for anything else; user names and passwords are refused too.
 */
export function parseImageUrl(text: string, base?: URL): URL {
  if (text.length > urlCharsMax) throw refused(`an image URL may have at most ${urlCharsMax} characters`);
  const url = URL.parse(text, base?.href);
  if (url?.protocol !== 'https:') {
    throw refused('an image must be a data: URI or an https:// URL of a public host');
  }
  if (url.username !== '' || url.password !== '') {
    throw refused('an image URL must not carry a user name or password');
  }
  if (url.port !== '' && Number(url.port) < 1_024) throw refused('the port of an image URL is not allowed');
  const host = hostOf(url);
  if (!(isIP(host) === 0 ? isPublicHostname(host) : isPublicAddress(host))) {
    throw refused('the host of an image URL must be public');
  }
  return url;
}

/** Returns the host name or IP address of a URL, without brackets. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1');
}

function refused(message: string): ImageError {
  return new ImageError('unsafe_image_ref', message);
}
