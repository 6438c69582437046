export { configuredEmail, configuredUsers } from './configured-user.ts';
export { type ReturnTo, safeReturnTo } from './return-to.ts';
export {
  type Session,
  Sessions,
  sessionCookieName,
  type Visitor,
} from './sessions.ts';
export {
  SIGN_IN_PATH,
  SIGN_OUT_PATH,
  signInRoutes,
  signInUrl,
} from './sign-in-routes.ts';
export { wrongAccountView } from './wrong-account-view.ts';
