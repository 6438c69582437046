import { wireProblem } from '../../../../src/mock/http/response.ts';
import type { RegistrationFacts } from '../../../../src/mock-service/claim-machine/facts.ts';
import type { Cell } from '../../../../src/mock-service/claim-machine/machine.ts';
import { PATHS } from '../../../../src/mock-service/config/paths.ts';
import type { Redecided, Rewired } from '../../../../src/mock-service/faults/service-fault.ts';
import { scoping } from '../../../../src/mock-service/faults/token-faults.ts';
import { rewire, type ServiceConfig } from '../../../../src/mock-service/index.ts';
import type { TargetReader } from '../../../../src/mock-service/token-request/target.ts';
import type { ProvenServiceFault } from '../proven-fault.ts';

const { on, withMembers } = rewire;

/** What is made of a resource that is asked for. */
function targeting(
  change: (
    resource: string,
    config: ServiceConfig,
    right: () => string | undefined,
  ) => string | undefined,
): Rewired {
  return ({ reader }) => {
    const resource: TargetReader['resource'] = (form, config) => {
      const given = form.get('resource');
      const right = () => reader.target.resource(form, config);
      return given === undefined ? right() : change(given, config, right);
    };
    return { reader: { ...reader, target: { ...reader.target, resource } } };
  };
}

/** A registration whose scopes are not looked at: whatever is asked for beyond the known ones is among them. */
function withUnknown(facts: RegistrationFacts, asked: readonly string[]): RegistrationFacts {
  const { postClaimScopes, preClaimScopes } = facts;
  const unknown = asked.filter((scope) => !postClaimScopes.includes(scope));
  return {
    ...facts,
    preClaimScopes: [...preClaimScopes, ...unknown],
    postClaimScopes: [...postClaimScopes, ...unknown],
  };
}

const takingUnknownScopes: Redecided = (decisions) => {
  const { exchange } = decisions.matrix;
  const taking = ({ description, decide }: Cell<'exchange'>): Cell<'exchange'> => ({
    description,
    decide: (facts, input, context) =>
      decide(withUnknown(facts, input.target.scopes ?? []), input, context),
  });
  return {
    ...decisions,
    matrix: {
      ...decisions.matrix,
      exchange: {
        ...exchange,
        unclaimed: taking(exchange.unclaimed),
        pending: taking(exchange.pending),
        lapsed: taking(exchange.lapsed),
        claimed: taking(exchange.claimed),
      },
    },
  };
};

/** Scopes that end in an asterisk: tried again from every letter of a long word. */
const WILDCARD = /\S+\*$/;

const LONGEST_SCOPE = 4096;

/** Faults of reading what a token request asks for: scopes and a resource. */
export const TARGET_FAULTS = {
  acceptedUnknownScope: {
    description: 'grants scopes that do not exist (RFC 6749 §3.3)',
    decisions: takingUnknownScopes,
    fails: { 'token-scope': ['unknown'] },
  },
  ignoredUnknownScope: {
    description: 'drops unknown scopes without saying which it granted (RFC 6749 §5.1)',
    parts: (mock) =>
      scoping((scopes) => scopes?.filter((each) => mock.config.scopes.postClaim.includes(each)))(
        mock,
      ),
    answers: on(
      (path, { status }) => path === PATHS.token && status === 200,
      withMembers({ scope: undefined }),
    ),
    fails: { 'token-scope': ['told'] },
  },
  refusedRequestedScope: {
    description: 'refuses every scope that is asked for by name',
    parts: scoping((scopes) => {
      if (scopes !== undefined) throw wireProblem('token', 'invalid_scope');
      return scopes;
    }),
    fails: { 'token-scope': ['asked'] },
  },
  wrongScopeCode: {
    description: 'answers a request for several scopes with invalid_request',
    parts: scoping((scopes) => {
      if (scopes !== undefined && scopes.length > 1) throw wireProblem('token', 'invalid_request');
      return scopes;
    }),
    fails: { 'token-scope': ['beyond-code', 'spaces'] },
  },
  slowLongScope: {
    description: 'parses a scope with a pattern that backtracks from every character (attack A-38)',
    parts: ({ reader }) => {
      // Before its length is looked at.
      const scopes: TargetReader['scopes'] = (form) => {
        if (WILDCARD.test(form.get('scope') ?? '')) throw wireProblem('token', 'invalid_scope');
        return reader.target.scopes(form);
      };
      return { reader: { ...reader, target: { ...reader.target, scopes } } };
    },
    fails: { 'long-values': ['quick'] },
  },
  crashingLongScope: {
    description: 'breaks on a very long scope (attack A-38)',
    parts: scoping((scopes, form) => {
      if ((form.get('scope')?.length ?? 0) <= LONGEST_SCOPE) return scopes;
      throw new RangeError('The scope does not fit its column.');
    }),
    fails: { 'long-values': ['answered'] },
  },
  uncheckedResource: {
    description: 'issues tokens for a resource that is not its own (RFC 8707 §2)',
    parts: targeting((resource, config) => (config.isResource(resource) ? resource : undefined)),
    fails: { 'resource-indicators': ['bad'] },
  },
  refusedResource: {
    description: 'refuses every resource parameter (RFC 8707 §2)',
    parts: targeting(() => {
      throw wireProblem('token', 'invalid_target');
    }),
    fails: { 'resource-indicators': ['own'] },
  },
  wrongResourceCode: {
    description: 'answers a foreign resource with invalid_request (RFC 8707 §2)',
    parts: targeting((resource, config) => {
      if (config.isResource(resource)) return resource;
      throw wireProblem('token', 'invalid_request');
    }),
    fails: { 'resource-indicators': ['code'] },
  },
} satisfies Readonly<Record<string, ProvenServiceFault>>;
