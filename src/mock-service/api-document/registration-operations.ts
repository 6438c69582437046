import type { Operation, SampleAnswer } from '../../mock/index.ts';
import { type JsonObject, MEDIA_TYPE, SECOND } from '../../protocol/index.ts';
import { PATHS } from '../config/paths.ts';
import type { RedemptionWire } from '../dialects/dialect.ts';
import {
  sampleClaimStarts,
  sampleRedemption,
  sampleRegistrations,
} from '../dialects/sample-requests.ts';
import type { EndpointTeller } from './endpoint-teller.ts';

export function register(teller: EndpointTeller): Operation {
  const { config, dialect } = teller.service;
  const { confirmation, write } = dialect.registration;
  const { speaker } = teller.samples;
  const examples = sampleRegistrations(dialect, teller.samples);
  const isOn = (type: string) => config.identityTypes.some((each) => each === type);
  const max_age = Math.floor(config.lifetimes.maxAuthAge / SECOND);
  const answer = (
    name: string,
    description: string,
    wire: SampleAnswer['wire'],
    response: SampleAnswer['response'],
  ) => ({ name, description, response, ...(wire && { wire }) }) satisfies SampleAnswer;
  const renewed = renewalOf(teller, examples);
  return {
    ...teller.endpoint(PATHS.identity, 'register'),
    tag: 'registration',
    summary: 'Register an agent',
    description: `Registers an agent: for itself (\`anonymous\`), for a user whose email it names, or for a user whom a trusted provider vouches for with an ID-JAG.`,
    bodies: [{ mediaType: MEDIA_TYPE.json, examples }],
    answers: teller.spelled(PATHS.identity, [
      ...(isOn('anonymous')
        ? [
            answer(
              'anonymous',
              'Registered, for a user to claim.',
              'anonymous-registration',
              write(teller.samples.anonymous(), speaker),
            ),
          ]
        : []),
      ...(isOn('service_auth')
        ? [
            answer(
              'service_auth',
              'Registered; of no use before the user has claimed it.',
              'service-auth-registration',
              write(
                { kind: 'to_be_claimed', ...teller.samples.toBeClaimed('service_auth') },
                speaker,
              ),
            ),
          ]
        : []),
      ...(isOn('identity_assertion')
        ? [
            answer(
              'identity_assertion',
              'Registered in the name of the user.',
              'identity-assertion-registration',
              write(teller.samples.established(), speaker),
            ),
          ]
        : []),
      ...renewed,
      ...teller.refused(PATHS.identity, dialect.problems.registration, 'identity', {
        login_required: { members: { max_age } },
        interaction_required: {
          members: confirmation(teller.samples.toBeClaimed('identity_assertion'), speaker),
        },
      }),
      ...(renewed.length === 0
        ? []
        : teller.refused(PATHS.identity, dialect.problems.registration, 'refresh')),
      ...teller.transport(PATHS.identity, dialect.problems.registration),
    ]),
  };
}

export function startClaim(teller: EndpointTeller): Operation {
  const { dialect } = teller.service;
  const { facts, attempt } = teller.samples.toBeClaimed('anonymous');
  const started = dialect.claim.write({ facts, attempt }, teller.samples.speaker);
  return {
    ...teller.endpoint(PATHS.claim, 'startClaim'),
    tag: 'claim',
    summary: 'Open a claim attempt',
    description:
      'Opens an attempt for the user to claim the registration, or a fresh one after the code has expired, was denied or was wrong too often. It ends the attempt before it.',
    bodies: [{ mediaType: MEDIA_TYPE.json, examples: sampleClaimStarts(dialect, teller.samples) }],
    answers: teller.spelled(PATHS.claim, [
      {
        name: 'initiated',
        description: 'The attempt is open.',
        wire: 'claim-started',
        response: started,
      },
      ...teller.refused(PATHS.claim, dialect.problems.registration, 'claim'),
      ...teller.transport(PATHS.claim, dialect.problems.registration),
    ]),
  };
}

export function redeem(teller: EndpointTeller, wire: RedemptionWire): Operation {
  const { dialect } = teller.service;
  const redeemed = (givesCredential: boolean) =>
    wire.write(
      teller.samples.redeemed(wire.withRefreshToken, givesCredential),
      teller.samples.speaker,
    );
  return {
    ...teller.endpoint(PATHS.complete, 'redeemCode'),
    tag: 'claim',
    summary: 'Hand in the code of a claim',
    description: `The user read the code ${wire.isMailed ? 'from a mail' : 'of the claim page'} to the agent, which hands it in here.`,
    bodies: [
      {
        mediaType: MEDIA_TYPE.json,
        examples: { code: sampleRedemption(wire, teller.samples) },
      },
    ],
    answers: teller.spelled(PATHS.complete, [
      {
        name: 'claimed',
        description: 'The registration is claimed.',
        response: redeemed(wire.givesCredential === true),
      },
      ...(wire.givesCredential
        ? [
            {
              name: 'claimed_afterwards',
              description: 'The registration is claimed; it keeps the credential that it has.',
              response: redeemed(false),
            },
          ]
        : []),
      ...teller.refused(PATHS.complete, dialect.problems.registration, 'read_back', {
        invalid_user_code: { members: { attempts_remaining: 4 } },
      }),
      ...teller.transport(PATHS.complete, dialect.problems.registration),
    ]),
  };
}

/** Where a refresh token is taken, what it is answered with. */
function renewalOf(
  teller: EndpointTeller,
  examples: Readonly<Record<string, JsonObject>>,
): readonly SampleAnswer[] {
  const members = examples['refresh'];
  if (members === undefined) return [];
  const read = teller.service.dialect.registration.read(members, {
    admit: () => {},
    readOlderForm: (request) => request,
  });
  if (read.type !== 'refresh') return [];
  return [
    {
      name: 'refresh',
      description: 'The next assertion and the next refresh token.',
      response: read.write(teller.samples.renewed(), teller.samples.speaker),
    },
  ];
}
