import { instant, MEDIA_TYPE } from '../../protocol/index.ts';
import {
  type Operation,
  pathParameter,
  queryParameter,
  refusal,
  SAMPLE_TIME,
  type SampleAnswer,
  unavailable,
  unreadable,
} from '../api-document/index.ts';
import { json, type Route } from '../http/index.ts';
import { CONTROL_ROOT } from './control-paths.ts';
import { controlEnvelope, controlProblem } from './control-problem.ts';

/** A control, as the document of its mock tells it. */
export interface ControlOperation {
  readonly method: Route['method'];
  /** Below `/__mock`, as OpenAPI writes it. */
  readonly path: string;
  readonly id: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters?: Operation['parameters'];
  /** Bodies that it takes, by the name of the example. Left out: none is read. */
  readonly bodies?: Readonly<Record<string, unknown>>;
  /** Answers that it can give: together they show what each member can be. */
  readonly answers: readonly unknown[];
  /** Why it can be refused beside what any control can be refused for. */
  readonly refuses?: Partial<Record<'not_found' | 'conflict', string>>;
}

export const CONTROL_SECURITY = {
  controlToken: {
    type: 'http',
    scheme: 'bearer',
    description:
      'The control token: made anew at each start, and kept in the runtime file of the mock; in a test the option control.token. For programs of this machine, unless others are allowed.',
  },
} as const;

const NOW = instant(SAMPLE_TIME);

const STATE = (mock: string) => ({
  mock,
  issuer: 'https://mock.example',
  now: NOW,
  clock_offset_ms: 660_000,
  faults: ['noSlowDown'],
  known_faults: ['noSlowDown'],
  own_faults: [],
});

/** The controls of both mocks. */
export function sharedControlOperations(mock: 'service' | 'provider'): readonly ControlOperation[] {
  const state = [STATE(mock)];
  return [
    {
      ...{ id: 'getMock', method: 'GET', path: '', summary: 'Look at the mock' },
      description: 'Its time, and what it does wrong on purpose.',
      answers: state,
    },
    {
      ...{ id: 'moveClock', method: 'POST', path: '/clock', summary: 'Move the clock' },
      description: 'Forward by a duration, or to an offset from the time of the machine.',
      bodies: { forward: { advance: '11m' }, to_an_offset: { offset_ms: 660_000 } },
      answers: state,
    },
    {
      ...{ id: 'listFaults', method: 'GET', path: '/faults', summary: 'List the faults' },
      description: 'Each way in which the mock can be wrong, and whether it is now.',
      answers: [
        {
          faults: [
            {
              name: 'noSlowDown',
              group: 'Polls',
              description: 'never asks to slow down',
              on: true,
            },
            { name: 'own', group: null, description: 'is wrong in its own way', on: false },
          ],
        },
      ],
    },
    {
      ...{ id: 'setFaults', method: 'POST', path: '/faults', summary: 'Switch faults' },
      description: 'Switches these on and all others off.',
      bodies: { one: { faults: ['noSlowDown'] }, none: { faults: [] } },
      answers: state,
    },
    {
      ...{
        id: 'rotateKeys',
        method: 'POST',
        path: '/keys/rotate',
        summary: 'Rotate the signing key',
      },
      description: 'Publishes a new key at once, and signs with it after the lead.',
      bodies: { with_a_lead: { lead: '5m' }, without: {} },
      answers: [{ kid: 'example', signs_from: NOW }],
    },
    {
      ...{ id: 'resetMock', method: 'POST', path: '/reset', summary: 'Start over' },
      description: 'Removes what came about since the start, and sets the clock back to real time.',
      answers: state,
    },
    {
      ...{ id: 'readAudit', method: 'GET', path: '/audit', summary: 'Read the audit trail' },
      description: 'Every change of state, oldest first.',
      parameters: [
        queryParameter('after', 'Entries after this one.', { type: 'integer', minimum: 0 }),
        queryParameter('limit', 'At most so many.', { type: 'integer', minimum: 0, maximum: 1000 }),
      ],
      answers: [
        {
          entries: [
            {
              ...{ seq: 1, at: NOW, actor: 'agent' },
              action: 'registered',
              registration_id: 'reg_1',
              detail: {},
            },
            {
              ...{ seq: 2, at: NOW, actor: 'control' },
              action: 'clock',
              registration_id: null,
              detail: {},
            },
          ],
        },
      ],
    },
    {
      ...{
        id: 'readExchanges',
        method: 'GET',
        path: '/exchanges',
        summary: 'Read the requests seen',
      },
      description:
        'What the mock was asked and what it answered, oldest first; secrets as fingerprints.',
      parameters: [
        queryParameter('since', 'Exchanges after this one.', { type: 'integer', minimum: 0 }),
        queryParameter('limit', 'At most so many.', { type: 'integer', minimum: 0, maximum: 1000 }),
        queryParameter('format', 'As a page, or as a golden transcript.', {
          type: 'string',
          enum: ['json', 'transcript'],
        }),
      ],
      answers: [
        { exchanges: [{}], dropped: 0, latest: 1 },
        { transcript: 1, exchanges: [{}] },
      ],
      refuses: { conflict: 'No exchanges are recorded.' },
    },
  ];
}

/** Controls with what they refuse, as the controls themselves write it. */
export function controlOperations(
  issuer: string,
  controls: readonly ControlOperation[],
): readonly Operation[] {
  return controls.map(({ answers, bodies, parameters, path, refuses = {}, ...control }) => {
    const request = new Request(issuer + CONTROL_ROOT);
    const refused = { ...ALWAYS, ...refuses };
    return {
      ...control,
      path: CONTROL_ROOT + path,
      tag: 'controls',
      ...(parameters && { parameters }),
      ...(bodies && {
        bodies: [{ mediaType: MEDIA_TYPE.json, examples: bodies }],
        bodyOptional: true as const,
      }),
      security: [{ controlToken: [] }],
      answers: [
        ...answers.map(
          (body, at): SampleAnswer => ({
            name: answers.length === 1 ? 'done' : `done_${at + 1}`,
            description: 'Done.',
            response: json(body),
          }),
        ),
        ...Object.entries(refused).map(([kind, why]) =>
          refusal(
            kind,
            controlProblem(kind as keyof typeof refused, why),
            controlEnvelope,
            request,
          ),
        ),
        ...(bodies ? unreadable(controlEnvelope, request) : []),
        unavailable(controlEnvelope, request),
      ],
    };
  });
}

const ALWAYS = {
  invalid_request: 'A parameter is none.',
  invalid_token: 'Send the control token as Authorization: Bearer.',
  forbidden: 'The controls accept calls from this machine only.',
} as const;

/** The registration that a control is about. */
export const REGISTRATION_ID = pathParameter('id', 'The id of the registration.', 'reg_1');
