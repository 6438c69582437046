import { type CodeAt, MEDIA_TYPE } from '../../protocol/index.ts';
import { type Route, seeOther, transportProblem } from '../http/index.ts';
import { type Operation, queryParameter, type SampleAnswer, type SampleBody } from './operation.ts';
import { refusal, refusals } from './sample-answers.ts';

/** How an operation of a user's browser is told. */
interface PageOptions extends Pick<Operation, 'id' | 'summary' | 'description' | 'parameters'> {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** The fields of its form. */
  readonly form?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** What it shows; left out: it only leads elsewhere. */
  readonly shows?: string;
  /** Where it leads. */
  readonly leads?: readonly [description: string, location: string];
  /** By the names of the pages' own codes. */
  readonly refuses?: readonly CodeAt<'complete'>[];
  /** Whether a session is needed: else a sign-in comes first. */
  readonly signedIn?: boolean;
}

/** Tells the operations of a mock's pages. */
export class PageOperations {
  readonly #envelope: Route['envelope'];
  readonly #issuer: string;

  constructor(issuer: string, envelope: Route['envelope']) {
    this.#issuer = issuer;
    this.#envelope = envelope;
  }

  /** A page, or the form of one. */
  page(options: PageOptions): Operation {
    const { description, form, id, method, parameters, path, summary } = options;
    const bodies: readonly SampleBody[] | undefined = form && [
      { mediaType: MEDIA_TYPE.form, examples: form },
    ];
    return {
      ...{ id, method, path, summary, description },
      tag: 'pages',
      ...(parameters && { parameters }),
      ...(bodies && { bodies }),
      ...(options.signedIn === true && { security: [{ browserSession: [] }] }),
      answers: this.answers(options),
    };
  }

  answers({
    form,
    leads,
    path,
    refuses = [],
    shows,
    signedIn,
  }: PageOptions): readonly SampleAnswer[] {
    const request = new Request(this.#issuer + path);
    const toSignIn = seeOther('/login?return_to=%2F', { 'set-cookie': 'session=EXAMPLE' });
    const transport = (['unavailable'] as const).map((kind) =>
      refusal(kind, transportProblem(kind), this.#envelope, request),
    );
    const ofForms =
      form === undefined
        ? []
        : (['unreadable_body', 'payload_too_large', 'unsupported_media_type'] as const).map(
            (kind) => refusal(kind, transportProblem(kind), this.#envelope, request),
          );
    return [
      ...(shows === undefined ? [] : [{ name: 'page', description: shows, response: htmlPage() }]),
      ...(leads === undefined
        ? []
        : [{ name: 'onwards', description: leads[0], response: seeOther(leads[1]) }]),
      ...(signedIn === true
        ? [
            {
              name: 'sign_in',
              description: 'Nobody is signed in: first to the sign-in.',
              response: toSignIn,
            },
          ]
        : []),
      ...refusals({ surface: 'complete', codes: refuses, envelope: this.#envelope, request }),
      ...ofForms,
      ...transport,
    ];
  }

  /** The sign-in and the sign-out of both mocks. */
  signIn(): readonly Operation[] {
    const returnTo = { csrf_token: 'EXAMPLE', return_to: '/' };
    return [
      this.page({
        id: 'showSignIn',
        method: 'GET',
        path: '/login',
        summary: 'Show the sign-in',
        description: 'A form that asks for an email and for no password: it is a mock.',
        parameters: [
          queryParameter('return_to', 'A path of this origin to go to afterwards.', {
            type: 'string',
          }),
          queryParameter('prompt', 'With `login`, a user who is signed in is asked again.', {
            type: 'string',
          }),
        ],
        shows: 'The form.',
        leads: ['Somebody is signed in already.', '/'],
      }),
      this.page({
        id: 'signIn',
        method: 'POST',
        path: '/login',
        summary: 'Sign in',
        description: 'Signs a user in with any email. The account is made at the first sign-in.',
        form: { alice: { ...returnTo, email: 'alice@example.com' } },
        leads: ['The user is signed in; the session has a new id.', '/'],
        refuses: ['invalid_request', 'csrf_failed'],
      }),
      this.page({
        id: 'signOut',
        method: 'POST',
        path: '/logout',
        summary: 'Sign out',
        description: 'Ends the session of the browser.',
        form: { here: returnTo },
        leads: ['The session has ended; the next account can sign in.', '/login?return_to=%2F'],
        refuses: ['invalid_request', 'csrf_failed'],
      }),
    ];
  }

  /** What every page links to. */
  assets(paths: { readonly style: string; readonly icon: string }): readonly Operation[] {
    const asset = (id: string, path: string, type: string, what: string): Operation => ({
      ...{ id, method: 'GET', path, tag: 'pages' },
      summary: `Read ${what}`,
      description: `What every page links to: ${what}.`,
      answers: [
        {
          name: id,
          description: `The text of ${what}.`,
          response: new Response('…', {
            headers: {
              'content-type': type,
              'cache-control': 'public',
              'access-control-allow-origin': '*',
            },
          }),
        },
      ],
    });
    return [
      asset('readStyle', paths.style, 'text/css; charset=utf-8', 'the style sheet'),
      asset('readIcon', paths.icon, 'image/svg+xml', 'the icon'),
    ];
  }
}

/** Pages are not shown in a document. */
export function htmlPage(status = 200): Response {
  return new Response('<!doctype html>', {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'set-cookie': 'session=EXAMPLE',
    },
  });
}

/** The cookie that pages know their user by. */
export function browserSession(name: string) {
  return {
    type: 'apiKey',
    in: 'cookie',
    name,
    description: 'The session of a signed-in user. A form carries its `csrf_token` as well.',
  };
}
