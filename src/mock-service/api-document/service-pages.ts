import {
  json,
  type Operation,
  PageOperations,
  pageEnvelope,
  pathParameter,
  queryParameter,
  refusals,
  SAMPLE_TIME,
  type SampleAnswer,
  sampleToken,
  unreadable,
} from '../../mock/index.ts';
import { type CodeAt, instant, MEDIA_TYPE } from '../../protocol/index.ts';
import { PATHS } from '../config/paths.ts';
import type { DescribedService, ServiceSamples } from './samples.ts';

/** What a user does on the claim page. */
type ClaimPage = 'type' | 'confirm' | 'deny';

const DOES: Readonly<Record<ClaimPage, string>> = {
  type: 'The user types the code that the agent shows, and approves or denies.',
  confirm: 'The user confirms; then the page shows the code to read to the agent.',
  deny: 'The page says what the mailed code is for, and can deny.',
};

const REFUSALS: readonly CodeAt<'complete'>[] = [
  'wrong_account',
  'invalid_claim_attempt',
  'claim_attempt_expired',
  'already_claimed',
  'claim_expired',
  'too_many_attempts',
];

const FORM_REFUSALS: readonly CodeAt<'complete'>[] = [
  'invalid_request',
  'csrf_failed',
  ...REFUSALS,
];

const ATTEMPT = queryParameter('claim_attempt_token', 'Names the attempt, never its code.', {
  type: 'string',
});

/** Tells the operations of the pages of a service. */
export class ServicePages {
  readonly #service: DescribedService;
  readonly #samples: ServiceSamples;
  readonly #pages: PageOperations;

  constructor(service: DescribedService, samples: ServiceSamples) {
    this.#service = service;
    this.#samples = samples;
    this.#pages = new PageOperations(service.config.issuer, pageEnvelope(service.site));
  }

  /** Those that a service of every dialect has. */
  always(): readonly Operation[] {
    const registration_id = sampleToken('reg_');
    return [
      ...this.#pages.signIn(),
      {
        ...this.#pages.page({
          id: 'followLink',
          method: 'GET',
          path: `${PATHS.claimLink}/{token}`,
          summary: 'Follow the link of a claim',
          description: 'The short link of a claim attempt. It names the attempt, never its code.',
          parameters: [pathParameter('token', 'Names the attempt.', this.#samples.attemptToken)],
          leads: [
            'To the claim page, or first to the sign-in.',
            `${PATHS.claimPage}?claim_attempt_token=${this.#samples.attemptToken}`,
          ],
        }),
        tag: 'claim',
      },
      this.#pages.page({
        id: 'showConnections',
        method: 'GET',
        path: PATHS.connections,
        summary: 'Show which agents have access',
        description: 'The registrations of the signed-in user.',
        parameters: [
          queryParameter('ended', 'The registration that was ended just now.', { type: 'string' }),
        ],
        shows: 'The registrations of the user.',
        signedIn: true,
      }),
      this.#pages.page({
        id: 'endConnection',
        method: 'POST',
        path: PATHS.connections,
        summary: 'End the access of an agent',
        description: 'Revokes one registration of the signed-in user.',
        form: { one: { csrf_token: 'EXAMPLE', registration_id } },
        leads: ['The registration is revoked.', `${PATHS.connections}?ended=${registration_id}`],
        refuses: ['invalid_request', 'csrf_failed', 'invalid_claim_attempt'],
        signedIn: true,
      }),
      this.#pages.page({
        id: 'showLinkReview',
        method: 'GET',
        path: PATHS.linkReview,
        summary: 'Ask whether to keep a link',
        description:
          'At the first sign-in to an account that a provider created: whether its link is to be kept.',
        parameters: [queryParameter('return_to', 'Where to go afterwards.', { type: 'string' })],
        shows: 'The question.',
        leads: ['There is nothing to ask.', PATHS.connections],
        signedIn: true,
      }),
      this.#pages.page({
        id: 'reviewLink',
        method: 'POST',
        path: PATHS.linkReview,
        summary: 'Keep or end a link',
        description: 'Keeps the link of the provider, or ends it with what rests on it.',
        form: {
          keep: { csrf_token: 'EXAMPLE', return_to: PATHS.connections, decision: 'keep' },
          end: { csrf_token: 'EXAMPLE', return_to: PATHS.connections, decision: 'end' },
        },
        leads: ['It is done.', PATHS.connections],
        refuses: ['invalid_request', 'csrf_failed'],
        signedIn: true,
      }),
      this.mailbox(),
      ...this.#pages.assets({ style: '/style.css', icon: '/favicon.svg' }),
    ];
  }

  /** `GET /claim`, as a page or as JSON. */
  claimPage(does: ClaimPage): Operation {
    const page = this.#pages.page({
      id: 'showClaim',
      method: 'GET',
      path: PATHS.claimPage,
      summary: 'Show a claim to its user',
      description: `${DOES[does]} With \`Accept: application/json\` a program gets what it needs to do so.`,
      parameters: [ATTEMPT],
      shows: 'The claim, or what became of it.',
      refuses: REFUSALS,
      signedIn: true,
    });
    const open = {
      registration_type: 'service_auth',
      scopes: this.#service.config.scopes.postClaim,
      csrf_token: 'EXAMPLE',
    };
    return this.#withJson({ ...page, tag: 'claim' }, PATHS.claimPage, [
      { name: 'open', description: 'The claim waits for its user.', response: json(open) },
      ...(does === 'confirm'
        ? [
            {
              name: 'confirmed',
              description: 'The user has confirmed: this is the code to read to the agent.',
              response: json({ ...open, status: 'confirmed', user_code: this.#samples.userCode }),
            },
          ]
        : []),
      this.#decided('claimed'),
      ...this.#jsonRefusals(PATHS.claimPage, ['login_required', ...REFUSALS]),
    ]);
  }

  /** Where the user types the code. */
  complete(): Operation {
    const attempt = { claim_attempt_token: this.#samples.attemptToken, csrf_token: 'EXAMPLE' };
    return this.#decision('completeClaim', PATHS.complete, 'Approve or deny a claim', DOES.type, {
      approve: { ...attempt, user_code: this.#samples.userCode, decision: 'approve' },
      deny: { ...attempt, decision: 'deny' },
    });
  }

  /** Where the user confirms, and then sees the code. */
  confirm(): Operation {
    const attempt = { claim_attempt_token: this.#samples.attemptToken, csrf_token: 'EXAMPLE' };
    return this.#decision(
      'confirmClaim',
      PATHS.claimPage,
      'Confirm or deny a claim',
      DOES.confirm,
      { approve: { ...attempt, decision: 'approve' }, deny: { ...attempt, decision: 'deny' } },
      {
        name: 'confirmed',
        description: 'This is the code to read to the agent.',
        response: json({
          status: 'confirmed',
          registration_id: sampleToken('reg_'),
          user_code: this.#samples.userCode,
        }),
      },
    );
  }

  /** Where the user of a mailed code denies. */
  denyMailed(): Operation {
    const attempt = { claim_attempt_token: this.#samples.attemptToken, csrf_token: 'EXAMPLE' };
    return this.#decision('denyClaim', PATHS.claimPage, 'Deny a claim', DOES.deny, {
      deny: { ...attempt, decision: 'deny' },
    });
  }

  /** Where the user reads the mails of this service. */
  mailbox(): Operation {
    const page = this.#pages.page({
      id: 'showMails',
      method: 'GET',
      path: PATHS.mails,
      summary: 'Read the mails of this service',
      description:
        'What the service mailed to the signed-in user, newest first: no mail server carries it. With `Accept: application/json` for programs.',
      shows: 'The mails.',
      signedIn: true,
    });
    const mail = {
      id: 1,
      sent_at: instant(SAMPLE_TIME),
      to: 'alice@example.com',
      subject: 'Your code',
      user_code: this.#samples.userCode,
      link: this.#service.config.issuer + PATHS.claimLink,
      text: 'Your code is …',
      registration_id: sampleToken('reg_'),
    };
    return this.#withJson(page, PATHS.mails, [
      { name: 'mails', description: 'The mails.', response: json({ mails: [mail] }) },
      ...this.#jsonRefusals(PATHS.mails, ['login_required']),
    ]);
  }

  #decision(
    id: string,
    path: string,
    summary: string,
    does: string,
    examples: Readonly<Record<string, Readonly<Record<string, string>>>>,
    ...more: readonly SampleAnswer[]
  ): Operation {
    const page = this.#pages.page({
      ...{ id, path, summary },
      method: 'POST',
      description: `${does} A form is answered with a page, JSON with JSON. The CSRF token may be in the header \`X-CSRF-Token\` instead.`,
      form: examples,
      shows: 'What became of it.',
      refuses: [
        ...FORM_REFUSALS,
        ...(id === 'completeClaim' ? (['invalid_user_code'] as const) : []),
      ],
      signedIn: true,
    });
    const codes = [
      'login_required',
      ...FORM_REFUSALS,
      ...(id === 'completeClaim' ? (['invalid_user_code'] as const) : []),
    ] as const;
    const bodies = [...(page.bodies ?? []), { mediaType: MEDIA_TYPE.json, examples }];
    return this.#withJson({ ...page, bodies, tag: 'claim' }, path, [
      ...more,
      ...(id === 'completeClaim' ? [this.#decided('claimed')] : []),
      this.#decided('denied'),
      ...this.#jsonRefusals(path, codes),
      ...unreadable(
        this.#service.dialect.problems.registration,
        new Request(this.#service.config.issuer + path),
      ).map((answer) => ({ ...answer, name: `${answer.name}_as_json` })),
    ]);
  }

  #decided(status: 'claimed' | 'denied'): SampleAnswer {
    return {
      name: status,
      description: `The claim is ${status}.`,
      response: json({ status, registration_id: sampleToken('reg_') }),
    };
  }

  #withJson(page: Operation, path: string, answers: readonly SampleAnswer[]): Operation {
    const { says } = this.#service.dialect;
    // The pages of claims speak as the protocol does, but for the last word of the dialect.
    const isSpoken = path === PATHS.complete && says !== undefined;
    const request = new Request(this.#service.config.issuer + path);
    const spelled = answers.map((answer) =>
      isSpoken
        ? {
            ...answer,
            response: Promise.resolve(answer.response).then((one) => says(one, request)),
          }
        : answer,
    );
    return { ...page, answers: [...page.answers, ...spelled] };
  }

  #jsonRefusals(path: string, codes: readonly CodeAt<'complete'>[]): readonly SampleAnswer[] {
    return refusals({
      surface: 'complete',
      codes,
      envelope: this.#service.dialect.problems.registration,
      request: new Request(this.#service.config.issuer + path),
      more: { invalid_user_code: { members: { attempts_remaining: 4 } } },
    });
  }
}
