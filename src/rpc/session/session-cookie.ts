import { limits } from '../../domain/limits.ts';

/** The cookie that holds a session's token. */
export interface SessionCookie {
  /** Returns the token of a Cookie header; undefined when there is none, or several that differ. */
  read(header: string | null): string | undefined;
  /** Returns the Set-Cookie header that gives a browser the token. */
  give(token: string): string;
  /** Returns the Set-Cookie header that takes the token away. */
  take(): string;
}

/** Returns the name of the cookie: with the prefix that binds it to its host and to https, where there is https. */
export function sessionCookieName(publicUrl: string): string {
  return isHttps(publicUrl) ? '__Host-session' : 'session';
}

/**
 * Returns the cookie of a service: out of reach of scripts (HttpOnly), not sent with other sites' posts (SameSite=Lax),
 * for the whole host and no other (RFC 6265bis section 4.1.3.2).
 *
 * @param publicUrl the service's address; over https the cookie is Secure
 */
export function createSessionCookie(publicUrl: string): SessionCookie {
  const name = sessionCookieName(publicUrl);
  const attributes = `Path=/; HttpOnly; SameSite=Lax${isHttps(publicUrl) ? '; Secure' : ''}`;
  const maxAgeSeconds = limits.session.absoluteMs / 1000;
  return {
    read(header) {
      const values = (header ?? '').split(';').flatMap((pair) => {
        const [key = '', ...value] = pair.split('=');
        return key.trim() === name ? [value.join('=').trim()] : [];
      });
      // Of two, one could be another's, planted by a neighbouring host; which one cannot be told.
      return new Set(values).size === 1 ? values[0] : undefined;
    },
    give: (token) => `${name}=${token}; ${attributes}; Max-Age=${maxAgeSeconds}`,
    take: () => `${name}=; ${attributes}; Max-Age=0`,
  };
}

function isHttps(url: string): boolean {
  return url.startsWith('https://');
}
