import type { Credentials } from '../model.ts';

export const NO_CREDENTIALS: Credentials = {
  lastService: null,
  services: [],
  providers: [],
  signIns: [],
};
