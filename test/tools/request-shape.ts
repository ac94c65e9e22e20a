import type { SiteAnswer, SiteHandler, SiteRequest } from './stub-sites.ts';

/** A call as its vendor publishes it: everything that is not named here is refused, as a strict server would. */
export interface PublishedCall {
  readonly method: 'GET' | 'POST';
  readonly path: RegExp;
  /** Query parameters that exist, with the form of their values. */
  readonly query?: Readonly<Record<string, RegExp>>;
  /** Fields of a JSON body. */
  readonly body?: Readonly<Record<string, FieldShape>>;
  readonly answer: (request: SiteRequest, match: RegExpExecArray) => SiteAnswer;
}

interface FieldShape {
  readonly required?: boolean;
  readonly is: (value: unknown) => boolean;
}

export const text: FieldShape = { is: (value) => typeof value === 'string' };
export const neededText: FieldShape = {
  required: true,
  is: (value) => typeof value === 'string' && value !== '',
};
export const wholeNumber: FieldShape = { is: (value) => Number.isInteger(value) };
export const texts: FieldShape = {
  is: (value) => Array.isArray(value) && value.every((entry) => typeof entry === 'string'),
};
export const anything: FieldShape = { is: () => true };

export function shapeOf(is: (value: unknown) => boolean): FieldShape {
  return { required: true, is };
}

export interface PublishedSite {
  readonly host: string;
  readonly calls: readonly PublishedCall[];
  /** The answer to whoever does not sign in as wanted. */
  readonly isSignedIn: (request: SiteRequest) => boolean;
  /** What is answered to a request that the site does not know. */
  readonly refusal?: (problem: string) => SiteAnswer;
}

/** Answers as the sites would; a request that does not fit what they publish gets a 400 that says why. */
export function publishedSites(...sites: readonly PublishedSite[]): SiteHandler {
  return (request) => {
    const site = sites.find(({ host }) => host === request.host);
    if (site === undefined) return { status: 421, body: `no site ${request.host}` };
    const refuse = site.refusal ?? ((problem) => ({ status: 400, body: { errorMessages: [problem] } }));
    if (!site.isSignedIn(request)) return { status: 401, body: { message: 'Client must be authenticated' } };
    for (const call of site.calls) {
      const match = call.path.exec(request.path);
      if (match === null || call.method !== request.method) continue;
      const problem = queryProblem(call, request) ?? bodyProblem(call, request);
      return problem === undefined ? call.answer(request, match) : refuse(`${request.path}: ${problem}`);
    }
    return { status: 404, body: { errorMessages: [`no ${request.method} ${request.path}`] } };
  };
}

function queryProblem({ query = {} }: PublishedCall, request: SiteRequest): string | undefined {
  for (const [name, value] of request.query) {
    const form = Object.hasOwn(query, name) ? query[name] : undefined;
    if (form === undefined) return `the parameter ${name} does not exist`;
    if (!form.test(value)) return `the parameter ${name} must not be ${value}`;
  }
  return undefined;
}

function bodyProblem({ body }: PublishedCall, request: SiteRequest): string | undefined {
  if (body === undefined) return request.text === '' ? undefined : 'there must be no body';
  if (request.headers['content-type'] !== 'application/json')
    return 'the content type must be application/json';
  const given = request.body;
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    return 'the body must be an object';
  for (const [name, value] of Object.entries(given)) {
    const shape = Object.hasOwn(body, name) ? body[name] : undefined;
    if (shape === undefined) return `the field ${name} does not exist`;
    if (!shape.is(value)) return `the field ${name} has the wrong form: ${JSON.stringify(value)}`;
  }
  const missing = Object.keys(body).find(
    (name) => body[name]?.required === true && !Object.hasOwn(given, name),
  );
  return missing === undefined ? undefined : `the field ${missing} is missing`;
}
