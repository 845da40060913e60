import { recentSignInRequired } from '../../../model/recent-proof.ts'
import { usernameReserved, usernameTaken } from '../../profiles/profiles/index.ts'
import {
  accountBanned,
  alreadyVerified,
  deletionScheduled,
  emailTaken,
  emailUnchanged,
  invalidCredentials,
  invalidOrExpiredToken,
  loginCapacityExceeded,
  secondFactorExists,
  secondFactorNotFound,
  secondFactorRequired,
  tooManyWrongCodes,
  tooManyWrongPasswords,
  verificationSent,
  weakPassword,
  wrongPassword,
  wrongSecondFactor,
} from './errors.ts'

/** The errors of actions that people perform with a JSON request or with a form. */
export const ACTION_ERRORS = {
  register: [weakPassword, emailTaken, usernameTaken, usernameReserved, loginCapacityExceeded],
  login: [invalidCredentials, accountBanned, tooManyWrongPasswords, secondFactorRequired, loginCapacityExceeded],
  loginWithCode: [invalidOrExpiredToken, wrongSecondFactor, tooManyWrongCodes, accountBanned, invalidCredentials],
  resetPassword: [invalidOrExpiredToken, weakPassword, loginCapacityExceeded],
  verifyEmail: [invalidOrExpiredToken],
  confirmEmail: [invalidOrExpiredToken, wrongPassword, tooManyWrongPasswords, loginCapacityExceeded],
  changeEmail: [
    recentSignInRequired,
    wrongPassword,
    tooManyWrongPasswords,
    emailUnchanged,
    verificationSent,
    loginCapacityExceeded,
  ],
  confirmEmailChange: [invalidOrExpiredToken, emailTaken],
  resendVerification: [alreadyVerified, verificationSent],
  prove: [
    wrongPassword,
    tooManyWrongPasswords,
    secondFactorNotFound,
    wrongSecondFactor,
    tooManyWrongCodes,
    loginCapacityExceeded,
  ],
  beginSecondFactor: [secondFactorExists],
  confirmSecondFactor: [
    secondFactorNotFound,
    wrongPassword,
    tooManyWrongPasswords,
    wrongSecondFactor,
    tooManyWrongCodes,
    loginCapacityExceeded,
  ],
  removeSecondFactor: [secondFactorNotFound, wrongSecondFactor, tooManyWrongCodes, invalidOrExpiredToken],
} as const

/** Why a user of the host gets no account, on every request. */
export const HOST_USER_ERRORS = [accountBanned, deletionScheduled, emailTaken] as const
