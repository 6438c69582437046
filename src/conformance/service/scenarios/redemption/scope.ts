import { PROTECTED_RESOURCE_PATH } from '../../../../protocol/index.ts';
import { judgePart, NeedsOption, NotApplicable } from '../../../engine/judge.ts';
import { challenge, errorCode, isText } from '../../../engine/rows.ts';
import type { Answer } from '../../../http/answer.ts';
import type { CrossAppResource } from '../../cross-app/cross-app.ts';
import { Redeemer } from '../../cross-app/redeemer.ts';
import { serviceScenario } from '../../service-world.ts';
import { isGranted, scopesOf } from '../../steps/answers.ts';
import { refusedUnlike } from '../../steps/controls.ts';
import { isDocument } from '../../steps/metadata-documents.ts';
import { insertedUrl, metadataHint } from '../../steps/urls.ts';
import { Writes } from '../../steps/writes.ts';

const UNASKED =
  'Where the scopes are those of the ID-JAG, RFC 6749 §5.1 can be read to ask for none: no other ones were asked for.';

export const redemptionScope = serviceScenario({
  id: 'redemption-scope',
  title: 'A token may do what both the ID-JAG and the request say',
  checks: {
    'within-claim': 'No scope is granted beyond the claim `scope`, whatever is asked for.',
    'within-request': 'No scope is granted beyond the parameter `scope`.',
    'claim-alone': 'Without the parameter, the scopes of the claim are granted, and no others.',
    default: 'An ID-JAG without `scope` is not granted every scope.',
    told: 'The answer names the scopes where they are not those that were asked for.',
  },
  resting: { 'redemption-scope.within-claim': ['claim-alone'] },
  blockedBy: ['redemption.granted'],
  async run(judge, world) {
    const redeemer = new Redeemer(world);
    const [scope, known] = redeemer.scopes;
    if (scope === undefined) {
      throw new NotApplicable(
        'No scopes are known: neither resource nor server lists scopes_supported.',
      );
    }
    await redeemer.unlock();
    const another = known ?? world.invented.scope();
    const ask = (claim: string | undefined, parameter?: string) =>
      redeemer.redeemNew({ claims: { scope: claim } }, undefined, {
        form: parameter === undefined ? {} : { scope: parameter },
      });
    const within =
      (...allowed: readonly string[]) =>
      (answer: Answer) => {
        const given = scopesOf(answer);
        // A refusal grants nothing; what is not told is another finding.
        if (!isGranted(answer) || given === undefined) return { ok: true };
        return { ok: given.length > 0 && given.every((each) => allowed.includes(each)) };
      };
    const told = (answer: Answer) => ({
      ok: !isGranted(answer) || scopesOf(answer) !== undefined,
      seen: 'The answer has no scope.',
    });

    const more = await ask(scope, `${scope} ${another}`);
    const beyond = `claim ${scope}, parameter ${scope} ${another}`;
    judge.table(more, { 'within-claim': within(scope), told }, { case: beyond });
    const outside = await ask(scope, another);
    judge.table(
      outside,
      { 'within-claim': within(scope) },
      { case: `claim ${scope}, parameter ${another}` },
    );
    const alone = await ask(scope);
    judge.table(
      alone,
      { 'claim-alone': within(scope), told: (answer) => ({ ...told(answer), reading: UNASKED }) },
      { case: `claim ${scope}` },
    );
    if (known === undefined) {
      judge.skip(['default', 'within-request'], 'Only one scope is known.');
      return;
    }
    const both = `${scope} ${known}`;
    judge.table(
      await ask(both, scope),
      { 'within-request': within(scope) },
      { case: `claim ${both}, parameter ${scope}` },
    );
    const unnamed = await ask(undefined);
    const granted = scopesOf(unnamed) ?? [];
    const isAll = isGranted(unnamed) && redeemer.scopes.every((each) => granted.includes(each));
    judge.table(unnamed, { default: { ok: !isAll } }, { case: 'without the claim' });
  },
});

const ONE_RESOURCE =
  'Only one protected resource of the server is known: name two with --resource, each with its own metadata.';

export const redemptionResource = serviceScenario({
  id: 'redemption-resource',
  title: 'A token is for the resource of its ID-JAG alone',
  checks: {
    metadata: 'The metadata of the resource is found, and has `authorization_servers`.',
    bound: 'The token for one resource is refused at another.',
    parameter: 'The parameter `resource` leads to no token beyond the claim.',
    'parameter-code': 'A parameter `resource` beyond the claim is answered invalid_target.',
    list: 'An ID-JAG for a resource of the server and a foreign one gives no token for both.',
    'id-jag': 'An ID-JAG is refused as an access token.',
    'id-token': 'An ID token is refused as an access token.',
    challenge:
      'A call with too little scope is answered with a challenge that names what it needs.',
  },
  resting: { 'redemption-resource.parameter': ['parameter-code'] },
  blockedBy: ['redemption.granted', 'redemption.works'],
  async run(judge, world) {
    const redeemer = new Redeemer(world);
    const { resource: own } = redeemer;
    if (own === undefined) {
      throw new NeedsOption(
        'No protected resource is known: name one with --resource.',
        '--resource',
      );
    }
    await redeemer.unlock();
    await judgePart(judge, 'metadata', () => judgeMetadata(own));
    const token = await redeemer.mustRedeem();
    const opened = await redeemer.call(token);
    const refused = refusedUnlike(opened);
    judge.table(await redeemer.call(redeemer.idJag()), { 'id-jag': refused });
    const idToken = { header: { typ: 'JWT' }, claims: { aud: redeemer.client.id, nonce: 'n' } };
    judge.table(await redeemer.call(redeemer.idJag(idToken)), { 'id-token': refused });
    const foreign = `https://${world.elsewhere}/mcp`;
    const listed = await redeemer.redeemNew({ claims: { resource: [own.id, foreign] } });
    const named = [listed.member('resource') ?? []].flat();
    judge.expect('list', !isGranted(listed) || !named.includes(foreign), listed);
    await judgePart(judge, 'challenge', () => judgeChallenge(own));

    const other = redeemer.facts.resources.find(({ id }) => id !== own.id);
    if (other === undefined) {
      judge.skip(['bound', 'parameter', 'parameter-code'], ONE_RESOURCE, { needs: '--resource' });
      return;
    }
    const right = await redeemer.mustRedeem({
      claims: { resource: other.id, scope: other.scopes.join(' ') || undefined },
    });
    const there = await redeemer.call(right, other);
    judge.table(await redeemer.call(token, other), { bound: refusedUnlike(there) });
    const asked = { form: { resource: other.id } };
    const beyond = await redeemer.redeemNew({}, undefined, asked);
    const got = isGranted(beyond) ? beyond.string('access_token') : undefined;
    if (got === undefined) {
      judge.expect('parameter', beyond.refused, beyond);
      judge.table(beyond, { 'parameter-code': errorCode('invalid_target') });
    } else {
      judge.table(await redeemer.call(got, other), { parameter: refusedUnlike(there) });
      judge.skip('parameter-code', 'The claim is what counts: the parameter is ignored.');
    }

    async function judgeMetadata({ call, url }: CrossAppResource): Promise<void> {
      const hint = metadataHint(await world.send(url, call));
      const place = hint ?? insertedUrl(url, PROTECTED_RESOURCE_PATH);
      const document = await world.send(place);
      const servers = document.member('authorization_servers');
      const isRight = isDocument(document) && Array.isArray(servers) && servers.length > 0;
      judge.expect('metadata', isRight, document);
    }

    /** Where a call that every scope opens is refused with the first one. */
    async function judgeChallenge(resource: CrossAppResource): Promise<void> {
      const [least] = resource.scopes;
      const body = { type: 'application/json', text: '{}' };
      const usual = { method: 'POST', url: resource.url, body } as const;
      const writes = new Writes(world);
      const narrow = await redeemer.mustRedeem({ claims: { scope: least } });
      for (const write of [...world.writes, usual]) {
        if (!(await writes.send(write, token)).ok) continue;
        const answer = await writes.send(write, narrow);
        if (answer.status !== 403) continue;
        judge.table(answer, {
          challenge: [
            challenge('error', (error) => error === 'insufficient_scope'),
            challenge('scope', isText),
          ],
        });
        return;
      }
      judge.skip('challenge', 'No write is known that needs more than the first scope.', {
        needs: '--write-request',
      });
    }
  },
});
