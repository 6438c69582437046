import { createApp, type FetchHandler } from '../../mock/http/app.ts';
import { documentRoute } from '../../mock/http/openapi-route.ts';
import type { Envelope, Route } from '../../mock/http/route.ts';
import { misdirectedPage } from '../../mock/pages/misdirected-page.ts';
import type { DialectId } from '../../protocol/constants.ts';
import { describesItself } from '../config/describes-itself.ts';
import type { ServiceContext } from '../context/service-context.ts';
import { saying } from '../dialects/says.ts';

interface AppParts {
  readonly dialect: DialectId;
  /** Renders problems that belong to no route. */
  readonly fallback: Envelope;
  readonly ofControls: readonly Route[];
  readonly right: ServiceContext;
}

/** Builds the application of a service, as it is wired. */
export function serviceApp({ dialect, fallback, ofControls, right }: AppParts) {
  const { clock, config, log } = right;
  // What it should do, whatever it does now.
  const document = describesItself(config)
    ? [
        documentRoute({
          mock: 'service',
          issuer: config.issuer,
          envelope: right.dialect.problems.registration,
          elsewhere: dialect === 'flat' ? undefined : documentedElsewhere(dialect, config.issuer),
        }),
      ]
    : [];
  return (service: ServiceContext, prepare: (request: Request) => void): FetchHandler =>
    saying(
      service.dialect,
      createApp({
        routes: [...ofControls, ...service.routes(service), ...document],
        fallback,
        clock,
        log,
        isOurHost: service.config.isOurHost,
        misdirectedPage,
        cors: config.cors,
        prepare,
      }),
    );
}

function documentedElsewhere(dialect: string, issuer: string): string {
  return `The OpenAPI document is of the dialect flat, and this mock speaks ${dialect}: ${issuer}/auth.md says what to send, and the transcripts of the package (agent-auth/transcripts/${dialect}-anonymous.json and its like) show it.`;
}
