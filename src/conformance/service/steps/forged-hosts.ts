import type { HeaderList } from '../../http/http-client.ts';

/** Header fields that name a foreign host as the one that was asked. */
export const forwarded = (evil: string): readonly HeaderList[] => [
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

/** The same for Host itself. */
export const hosts = (evil: string): readonly HeaderList[] => [
  [['host', evil]],
  [['host', `${evil}:4443`]],
];
