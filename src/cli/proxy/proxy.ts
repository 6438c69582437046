import { randomUUID } from 'node:crypto';
import { renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { displayJson } from '../../protocol/text.ts';
import { isLoopbackHost } from '../../protocol/urls.ts';
import { createProxy, type Front, ProxyLoopError, type RunningProxy } from '../../proxy/index.ts';
import type { Log, LogFields } from '../../runtime/ports.ts';
import { systemSleep } from '../../runtime/system.ts';
import { type Exchange, ExchangeLog, transcript } from '../../traffic/index.ts';
import { orExplain } from '../mock/servers/explain-listen.ts';
import { untilStopped } from '../mock/servers/run-until-stopped.ts';
import { serveMock } from '../mock/servers/serve-mock.ts';
import { absoluteUrl } from '../prompts/service.ts';
import { usageError } from '../shell/cli-error.ts';
import type { Context } from '../shell/context.ts';
import type { Outcome } from '../shell/exit-codes.ts';
import { PROXY_PORT } from '../shell/mock-ports.ts';
import { readNetwork } from '../shell/network.ts';
import { RuntimeFiles } from '../shell/runtime-files.ts';
import { systemReason } from '../shell/system-reason.ts';
import { checkWritable, unwritable } from '../shell/write-text.ts';
import { lineWidth } from '../terminal/exchange-line.ts';
import type { ProxyOptions } from './options.ts';
import { presentEvent, presentOrigin, presentReadyProxy, presentSummary } from './present.ts';
import { type ProxyLive, SeenTraffic, startProxyLive } from './proxy-live.ts';
import { isAtLeast, type Judge, tellExchanges, trafficJudge } from './tell-exchanges.ts';

/** Once it is known what it stands in front of. */
type ProxyFlags = ProxyOptions & { readonly to: string };

const KEPT = 10_000;

/** Stands between agents and a service until it is stopped. */
export async function proxy(
  context: Context,
  { to, ...others }: ProxyOptions,
  judge: Judge = trafficJudge(),
): Promise<Outcome> {
  if (to === undefined) throw usageError('The option --to <url> is missing.');
  const flags: ProxyFlags = { ...others, to };
  const { output, world } = context;
  const { exchanges: kept = KEPT, failOn, transcript } = flags;
  if (flags.live === false && (flags.open === true || flags.livePort !== undefined)) {
    throw usageError('--no-live leaves nothing for --open and --live-port.', {
      code: 'options_clash',
    });
  }
  if (transcript !== undefined) checkWritable(transcript);
  const log = new ExchangeLog(Math.max(kept, 1));
  const seen = new SeenTraffic({
    to,
    provider: flags.provider,
    clock: world.clock,
    kept: log.kept,
  });
  const { stdout } = world.streams;
  let isFailed = false;
  const told = tellExchanges({
    log,
    output,
    judge,
    width: lineWidth(stdout),
    collapse: stdout.isTTY && !output.json,
    onExchange: (explained, found) => seen.note(explained, found),
    onFinding: (finding) => {
      isFailed ||= failOn !== undefined && isAtLeast(finding, failOn);
    },
  });
  const running = await start(context, flags, log);
  // First in the line: whoever else follows finds each exchange judged.
  const stopFollowing = log.follow(() => told.tell());
  const files = new RuntimeFiles(world.environment);
  const live = await startLive(context, flags, { log, running, seen });
  try {
    if (live !== undefined) noteForOthers(context, files, live, flags);
    const isTold = await untilStopped(context, {
      ready: presentReadyProxy(context, { ...readyOf(running, flags), live: live?.link() }),
      // A link of its own: the printed one is good once, too.
      page: flags.open === true ? () => live?.link() ?? '' : undefined,
    });
    if (!isTold) return 'failed';
  } finally {
    files.remove(process.pid, 'proxy');
    await live?.close();
    await running.close();
    stopFollowing();
    told.tell();
    told.end();
  }
  try {
    if (transcript !== undefined) writeTranscript(context, transcript, log);
  } catch (error) {
    // What was counted is not lost with the file.
    output.result(presentSummary(told, undefined, isFailed));
    throw error;
  }
  output.result(presentSummary(told, transcript, isFailed));
  return isFailed ? 'failed' : 'done';
}

/** @throws CliError when the file cannot be written. */
function writeTranscript({ output }: Context, file: string, log: ExchangeLog): void {
  const { dropped, exchanges } = log.read();
  if (dropped > 0) {
    output.warn(
      `The transcript begins late: ${dropped} exchanges are no longer kept. To keep more, use --exchanges.`,
    );
  }
  keepTranscript(file, exchanges);
}

async function start(
  context: Context,
  { allowHost = [], host = '127.0.0.1', port, provider, to }: ProxyFlags,
  exchanges: ExchangeLog,
): Promise<RunningProxy> {
  const { output, world } = context;
  const network = readNetwork(world.environment.source, await context.authorities());
  const log = eventLog(context);
  let next: { readonly port: number | undefined; readonly defaultPort: number } = {
    port,
    defaultPort: PROXY_PORT,
  };
  const known = new Set(
    [to, ...(provider === undefined ? [] : [provider])].map((url) => new URL(url).origin),
  );
  const onFront = ({ real }: Front, origin: string) => {
    if (!known.has(real)) output.event(presentOrigin(origin, real));
  };
  try {
    return await createProxy({
      to,
      provider,
      host,
      allowedHosts: allowHost,
      allowedOrigins: context.options.allowOrigin?.map(
        (each) => new URL(absoluteUrl(each, 'The allowed origin', context.options)).origin,
      ),
      listen: async (build) => {
        const served = await orExplain(
          context,
          serveMock({ host, ...next }, { build, log, passesOn: true }),
        );
        // The next ones are where there is room.
        next = { port: port === 0 ? 0 : undefined, defaultPort: Math.min(served.port + 1, 65_535) };
        return served;
      },
      onFront,
      exchanges,
      forward: await world.loadForward(network),
      clock: world.clock,
      // Of the network: it waits in real time, whatever the clock.
      sleep: systemSleep,
      random: world.random,
      log,
    });
  } catch (error) {
    if (!(error instanceof ProxyLoopError)) throw error;
    throw usageError(`The proxy cannot stand in front of itself: ${error.message}`, {
      code: 'proxy_loop',
      hint: 'Name the service in --to, or another --port.',
      cause: error,
    });
  }
}

interface Traffic {
  readonly log: ExchangeLog;
  readonly running: RunningProxy;
  readonly seen: SeenTraffic;
}

async function startLive(
  context: Context,
  { live, livePort, port, to }: ProxyFlags,
  { log, running, seen }: Traffic,
): Promise<ProxyLive | undefined> {
  if (live === false) return undefined;
  const last = Math.max(PROXY_PORT, ...running.fronts.map((front) => front.port));
  try {
    return await startProxyLive(context, {
      to,
      // Whoever wants any free port for the proxy wants one here, too.
      place: {
        port: livePort ?? (port === 0 ? 0 : undefined),
        defaultPort: Math.min(last + 1, 65_535),
      },
      exchanges: log,
      seen,
      log: eventLog(context),
    });
  } catch (error) {
    await running.close();
    throw error;
  }
}

/** Leaves a file that tells `proxy open` of the proxy. Without it that finds nothing; the proxy runs anyway. */
function noteForOthers(
  { output, world }: Context,
  files: RuntimeFiles,
  { origin, token }: ProxyLive,
  { to }: ProxyFlags,
): void {
  const { pid } = process;
  try {
    files.writeProxy({ pid, started: world.clock.now(), to, live: origin, token });
  } catch {
    output.warn(`${files.folder} cannot be used, so proxy open does not find this one.`);
  }
}

function readyOf(running: RunningProxy, { host, provider, to }: ProxyFlags) {
  const remarks = [
    ...(host === undefined || isLoopbackHost(host)
      ? []
      : [`Whoever reaches ${host} talks to the service through this proxy, and without TLS.`]),
  ];
  return {
    service: running.local(to) ?? to,
    to,
    provider: provider === undefined ? undefined : running.local(provider),
    providerTo: provider,
    remarks,
  };
}

/** What the proxy itself has to say. */
function eventLog({ output, world }: Context): Log {
  const report = (event: string, fields: LogFields = {}) =>
    output.event(presentEvent(world.clock.now(), event, fields));
  return { debugs: false, debug: () => {}, info: () => {}, warn: report };
}

/**
 * Writes the exchanges to a file that is whole whenever it is there. Only this user may read it.
 * @throws CliError (usage) when it cannot be written.
 */
function keepTranscript(file: string, exchanges: readonly Exchange[]): void {
  const text = `${displayJson(JSON.stringify(transcript(exchanges), null, 2))}\n`;
  const beside = `${file}.${randomUUID()}`;
  try {
    const there = statSync(file, { throwIfNoEntry: false });
    // A device or a pipe is written to, and never replaced.
    if (there !== undefined && !there.isFile()) {
      writeFileSync(file, text);
      return;
    }
    writeFileSync(beside, text, { mode: 0o600, flag: 'wx' });
    renameSync(beside, file);
  } catch (error) {
    rmSync(beside, { force: true });
    throw unwritable(file, systemReason(error), error);
  }
}
