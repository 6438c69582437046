import { type Reply, Stop } from './agent-kit.ts';
import { namedMetadata, readResource } from './find-service.ts';
import type { TestAgent } from './good-agent.ts';
import { poll, takeClaim } from './poll-claim.ts';

const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/** Calls with the lightest token that does: the kept one, one exchange, one poll, one new ID-JAG. */
export async function callResource(agent: TestAgent): Promise<number> {
  const { kit } = agent;
  const rungs = [kept, exchanged, polled, registeredAgain];
  let reason = 'There is no token.';
  for (const rung of rungs) {
    if (!(await rung(agent))) continue;
    let reply = await call(agent);
    if (reply.status === 403 && kit.is('repeats403')) reply = await call(agent);
    if (reply.status === 200) return 0;
    if (reply.status !== 401) throw new Stop(`The call was answered ${reply.status}.`);
    reason = 'The token was refused.';
    if (kit.is('givesUpOn401')) break;
    await lookAgain(agent, reply);
    if (kit.is('registersOn401') && rung === kept) await agent.register();
    for (let n = 0; n < 5 && kit.is('loopsOn401') && rung === exchanged; n += 1) {
      await exchanged(agent);
      await call(agent);
    }
    for (let n = 0; n < 5 && kit.is('registersForEver') && rung === registeredAgain; n += 1) {
      await registeredAgain(agent);
      await call(agent);
    }
  }
  if (kit.is('quietWhenOver')) return 0;
  if (kit.is('registersOnRevoked')) await agent.register();
  throw new Stop(reason, 4);
}

async function lookAgain({ kit }: TestAgent, reply: Reply): Promise<void> {
  const named = namedMetadata(kit, reply);
  if (named === undefined || kit.is('ignoresNewMetadata')) return;
  await readResource(kit, named, kit.context.resource);
}

function call({ kit, kept: service, state }: TestAgent): Promise<Reply> {
  const own = service?.token ?? '';
  const isToken = /^[A-Za-z0-9\-._~+/]+=*$/.test(own);
  if (!isToken && !kit.is('splitsHeaders')) throw new Stop('That is no token.');
  if (kit.is('parsesTokens') && !own.startsWith('at_')) throw new Stop('That is no token.');
  const token = kit.is('oneTokenForAll') ? (state.firstToken ?? own) : own;
  const url = kit.context.resource + (kit.is('tokenInQuery') ? `?access_token=${token}` : '');
  const scheme = kit.is('otherScheme') ? 'Token' : 'Bearer';
  return kit.send(url, { headers: { authorization: `${scheme} ${token}` } });
}

async function kept(agent: TestAgent): Promise<boolean> {
  return agent.kept?.token !== undefined;
}

async function exchanged(agent: TestAgent): Promise<boolean> {
  const { kit, kept: known } = agent;
  if (known?.assertion === undefined) return false;
  const { assertion, service } = known;
  const form = {
    grant_type: JWT_BEARER,
    assertion,
    ...(kit.is('asksEverything') && { scope: service.scopes.join(' ') }),
  };
  const reply = await kit.patiently(() =>
    kit.is('jsonExchange') ? kit.postJson(service.token, form) : kit.postForm(service.token, form),
  );
  if (reply.status === 200) {
    const type = String(reply.json?.['token_type']);
    const isBearer = kit.is('exactBearer') ? type === 'Bearer' : /^bearer$/i.test(type);
    if (!isBearer && !kit.is('ignoresTokenType')) throw new Stop(`A token of the type ${type}.`);
    const { access_token: token, expires_in: lives } = reply.json ?? {};
    if (typeof token !== 'string') throw new Stop('There is no token.');
    known.token = token;
    agent.save();
    const isOver = kit.is('loopsOnLifetime') && Number(lives) <= 0;
    for (let n = 0; n < 5 && isOver; n += 1) {
      await kit.postForm(service.token, { grant_type: JWT_BEARER, assertion });
    }
    return true;
  }
  const error = kit.errorOf(reply);
  if (error === 'invalid_grant' && kit.is('registersAtInvalidGrant')) {
    await agent.register();
    return exchanged(agent);
  }
  if (error !== 'invalid_grant') throw await kit.refused(reply);
  return false;
}

async function polled(agent: TestAgent): Promise<boolean> {
  const { kit, kept: known } = agent;
  if (known?.claimToken === undefined || known.attempt === undefined) return false;
  const reply = await poll(kit, known.service, known);
  if (!takeClaim(known, reply)) return false;
  agent.save();
  return true;
}

async function registeredAgain(agent: TestAgent): Promise<boolean> {
  const { kit } = agent;
  if (kit.context.type !== 'identity_assertion') return false;
  if (agent.kept?.attempt !== undefined) return false;
  await agent.register();
  return exchanged(agent);
}
