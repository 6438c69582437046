/**
 * A service that is right, and does whatever unusual thing the standards allow: short ids, opaque assertions,
 * odd spellings of headers and JSON, addresses with queries, compressed bodies, no connection twice, pages in
 * German on another charset. `bug` switches one mistake on.
 */
import type { RunningService, ServiceOptions } from './support.ts';
import { forget, identify, reopen, token } from './unusual/agents.ts';
import { document, resourceDocument, serverDocument, skill, things } from './unusual/documents.ts';
import { type Answerer, type Call, openServer, type Reply } from './unusual/http.ts';
import { Jags } from './unusual/jags.ts';
import { Portal } from './unusual/portal.ts';
import { no, World } from './unusual/world.ts';

export async function startUnusual(options: ServiceOptions = {}): Promise<RunningService> {
  const { origin, close } = await openServer(async (at) => {
    const world = new World(at, options.now ?? Date.now, options.bug);
    return answererOf(routes(world, new Jags(world, options.trust ?? []), new Portal(world)));
  });
  return { url: `${origin}/t/~things`, close };
}

/** A method and a path; a path that ends in a star stands for all below it. */
type Routes = Readonly<Record<string, Answerer>>;

function routes(world: World, jags: Jags, portal: Portal): Routes {
  return {
    'GET /.well-known/oauth-protected-resource/t/~things': (call) =>
      document(call, resourceDocument(world)),
    'GET /.well-known/oauth-authorization-server/as/1': (call) =>
      document(call, serverDocument(world)),
    'GET /for%20agents.md': () => skill(world),
    'GET /t/~things': (call) => things(world, call),
    'POST /t/~things': (call) => things(world, call),
    'POST /as/1/agent/identity': (call) => identify(world, jags, call),
    'POST /as/1/agent/identity/claim': (call) => reopen(world, call),
    'POST /as/1/agent/identity/claim/complete': (call) => portal.complete(call),
    'POST /as/1/oauth2/token': (call) => token(world, call),
    'POST /as/1/oauth2/revoke': (call) => forget(world, call),
    'POST /as/1/agent/event/notify': (call) => event(jags, call),
    'GET /k/*': (call) => portal.start(call),
    'GET /portal/claim': (call) => portal.claim(call),
    'GET /portal/hello': (call) => portal.hello(call),
    'POST /portal/hello': (call) => portal.enter(call),
    'POST /portal/bye': (call) => portal.leave(call),
    'GET /portal/agents': (call) => portal.agents(call),
    'POST /portal/end': (call) => portal.end(call),
    'GET /portal/done': (call) => portal.done(call),
  };
}

function event(jags: Jags, call: Call): Reply | Promise<Reply> {
  if (call.type === 'application/secevent+jwt') return jags.hear(call.body.toString().trim());
  return { status: 415, headers: { 'accept-POST': 'application/secevent+jwt' } };
}

function answererOf(table: Routes): Answerer {
  return (call) => {
    const path = call.url.pathname;
    const below = path.replace(/[^/]+$/, '*');
    const found = table[`${call.method} ${path}`] ?? table[`${call.method} ${below}`];
    if (found !== undefined) return found(call);
    const methods = ['GET', 'POST'].filter((method) => table[`${method} ${path}`] !== undefined);
    if (methods.length === 0) throw no(404, 'not_found', 'There is nothing here.');
    const allow = [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(',');
    return { status: call.method === 'OPTIONS' ? 204 : 405, headers: { aLLOW: allow } };
  };
}
