import type { CookiePolicy } from '../../../http/cookies.ts'
import { clientOf } from '../../../http/pipeline/client-address.ts'
import { callerOf } from '../../../http/pipeline/request-context.ts'
import type { EepRoutes } from '../../../http/routes.ts'
import { ACTION_ERRORS } from './action-errors.ts'
import { loginCapacityExceeded, tooManyWrongPasswords, weakPassword, wrongPassword } from './errors.ts'
import { authConfig } from './route-config.ts'
import {
  changePasswordBody,
  doneSchema,
  forgotPasswordBody,
  loginBody,
  registerBody,
  resetPasswordBody,
  sessionSchema,
} from './schemas.ts'
import type { AccountService } from './service.ts'
import { done, sessionAnswer } from './session-answer.ts'

/** Registration, sign-in and passwords. */
export function passwordRoutes(app: EepRoutes, accounts: AccountService, cookies: CookiePolicy): void {
  app.post(
    '/auth/register',
    {
      config: authConfig({
        auth: 'none',
        operationId: 'register',
        summary: 'Create an account with a person profile, and sign in',
        errors: ACTION_ERRORS.register,
      }),
      schema: { body: registerBody, response: { 201: sessionSchema } },
    },
    async ({ body: { email, password, username, full_name }, headers }, reply) => {
      const session = await accounts.register({
        email,
        password,
        username,
        fullName: full_name ?? null,
        userAgent: headers['user-agent'],
        acceptLanguage: headers['accept-language'],
      })
      reply.code(201)
      return sessionAnswer(reply, session, cookies)
    },
  )

  app.post(
    '/auth/login',
    {
      config: authConfig({
        auth: 'none',
        operationId: 'login',
        summary: 'Sign in with email address and password',
        errors: ACTION_ERRORS.login,
      }),
      schema: { body: loginBody, response: { 200: sessionSchema } },
    },
    async (request, reply) => {
      const userAgent = request.headers['user-agent']
      return sessionAnswer(
        reply,
        await accounts.login({ ...request.body, from: clientOf(request), userAgent }),
        cookies,
      )
    },
  )

  app.post(
    '/auth/forgot-password',
    {
      config: authConfig({
        auth: 'none',
        operationId: 'requestPasswordReset',
        summary: 'Send a password reset link; the response does not reveal whether the account exists',
      }),
      schema: { body: forgotPasswordBody, response: { 200: doneSchema } },
    },
    async ({ body }) => {
      accounts.forgotPassword(body.email)
      return done('If an account with this address exists, an email was sent')
    },
  )

  app.post(
    '/auth/reset-password',
    {
      config: authConfig({
        auth: 'none',
        operationId: 'resetPassword',
        summary: 'Set a new password with an emailed token, end all sessions, and optionally delete all passkeys',
        errors: ACTION_ERRORS.resetPassword,
      }),
      schema: { body: resetPasswordBody, response: { 200: doneSchema } },
    },
    async ({ body: { token, password, remove_other_sign_ins: removeOtherSignIns } }) => {
      await accounts.resetPassword({ token, password, removeOtherSignIns })
      return done('The password is changed; sign in with it')
    },
  )

  app.put(
    '/auth/change-password',
    {
      config: authConfig({
        auth: 'bearer',
        operationId: 'changePassword',
        summary: 'Change the password, end all sessions and start a new one',
        errors: [wrongPassword, tooManyWrongPasswords, weakPassword, loginCapacityExceeded],
      }),
      schema: { body: changePasswordBody, response: { 200: sessionSchema } },
    },
    async (request, reply) => {
      const { current_password: currentPassword, new_password: newPassword, disconnect_apps: endsApps } = request.body
      const client = { from: clientOf(request), userAgent: request.headers['user-agent'] }
      const change = { currentPassword, newPassword, ...client }
      const caller = callerOf(request)
      const session = await accounts.changePassword(caller, change)
      // Every session of before has ended.
      if (endsApps) await accounts.appsOfSessions()?.endOfSessions(caller, { except: undefined })
      return sessionAnswer(reply, session, cookies)
    },
  )
}
