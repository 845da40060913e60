export { ACTION_ERRORS, HOST_USER_ERRORS } from './action-errors.ts'
export { administrators, listAdministrators } from './admin.ts'
export type { AppsOfSessions } from './apps-of-sessions.ts'
export type { ChangeUndo } from './change-undo.ts'
export { confirmEmail } from './confirm-email.ts'
export { newEmailToken } from './email-token.ts'
export { endSessions } from './end-sessions.ts'
export {
  accountBanned,
  deletionScheduled,
  emailTaken,
  invalidCredentials,
  invalidOrExpiredToken,
  loginCapacityExceeded,
  secondFactorNotFound,
  secondFactorRequired,
  tooManyWrongPasswords,
  weakPassword,
  wrongPassword,
} from './errors.ts'
export { freeUsername, insertAccount } from './new-account.ts'
export { provedAnswer } from './prove.routes.ts'
export { accountConfig, authConfig } from './route-config.ts'
export {
  browserSessionSchema,
  forgotPasswordBody,
  loginBody,
  provedSchema,
  registerBody,
  resetPasswordBody,
  secondStepBody,
} from './schemas.ts'
export type { SecondFactorService, SecondFactorState, TotpKey } from './second-factor.ts'
export type { AccountService } from './service.ts'
export { browserSessionAnswer, setSessionCookie } from './session-answer.ts'
export type { AccountDescription, ListedSession, Session } from './sessions.ts'
export { createTakeOver } from './take-over.ts'
