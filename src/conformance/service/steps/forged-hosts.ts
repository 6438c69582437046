import type { HeaderList } from '../../http/http-client.ts';

/** Header fields that name a foreign host as the one that was asked. */
const forwarded = (evil: string): readonly HeaderList[] => [
  [['x-forwarded-host', evil]],
  [
    ['x-forwarded-host', evil],
    ['x-forwarded-proto', 'https'],
    ['x-forwarded-port', '4443'],
    ['x-forwarded-prefix', `/${evil}`],
  ],
  [['forwarded', `host=${evil};proto=https`]],
  [['x-original-host', evil]],
  [['x-host', evil]],
  [
    ['x-original-url', `/${evil}`],
    ['x-rewrite-url', `/${evil}`],
  ],
];

/** Each with the check that judges it; Host itself last. */
export const namingHost = (evil: string) => [
  ...forwarded(evil).map((headers) => ['forwarded', headers] as const),
  ['host', [['host', evil]]] as const,
  ['host', [['host', `${evil}:4443`]]] as const,
];
