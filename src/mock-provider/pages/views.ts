import { signInView } from '../../mock/pages/sign-in-view.ts';
import { consentView } from './consent-view.ts';
import { consentsView } from './consents-view.ts';
import { deviceCodeView, deviceConfirmView } from './device-view.ts';
import { endView } from './end-view.ts';
import { homeView } from './home-view.ts';

/** What each page shows, from plain values. */
export const VIEWS = {
  home: homeView,
  deviceCode: deviceCodeView,
  deviceConfirm: deviceConfirmView,
  consent: consentView,
  consents: consentsView,
  end: endView,
  signIn: signInView,
} as const;

export type Views = typeof VIEWS;
