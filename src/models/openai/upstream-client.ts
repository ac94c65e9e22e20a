import OpenAI from 'openai';

type BuildRequest = OpenAI['buildRequest'];
type Built = Awaited<ReturnType<BuildRequest>>;

/**
 * The `openai` package's client. It builds the headers of its POST requests once, since they are the same each time,
 * and turns a body into JSON in one step.
 */
export class UpstreamClient extends OpenAI {
  #headers: Built['req']['headers'] | undefined;

  override async buildRequest(...[options, retry]: Parameters<BuildRequest>): Promise<Built> {
    const { method, path, body, signal, timeout = this.timeout } = options;
    if (method !== 'post' || this.#headers === undefined) {
      const built = await super.buildRequest(options, retry);
      if (method === 'post') this.#headers = built.req.headers;
      return built;
    }
    const req = { method, headers: this.#headers, body: JSON.stringify(body), ...(signal && { signal }) };
    return { req, url: this.buildURL(path, null), timeout };
  }
}
