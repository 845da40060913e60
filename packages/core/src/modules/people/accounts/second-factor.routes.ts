import type { CookiePolicy } from '../../../http/cookies.ts'
import { clientOf } from '../../../http/pipeline/client-address.ts'
import { callerOf } from '../../../http/pipeline/request-context.ts'
import type { EepRoutes } from '../../../http/routes.ts'
import { ACTION_ERRORS } from './action-errors.ts'
import { accountConfig, authConfig } from './route-config.ts'
import {
  confirmSecondFactorBody,
  loggedOutSchema,
  recoveryCodesSchema,
  secondFactorCodeBody,
  secondFactorKeySchema,
  secondFactorSchema,
  secondStepBody,
  sessionSchema,
} from './schemas.ts'
import type { SecondFactorService } from './second-factor.ts'
import type { AccountService } from './service.ts'
import { sessionAnswer } from './session-answer.ts'

/** Routes for two-factor authentication. */
export function secondFactorRoutes(
  app: EepRoutes,
  accounts: Pick<AccountService, 'loginWithCode'>,
  secondFactor: SecondFactorService,
  cookies: CookiePolicy,
): void {
  app.post(
    '/auth/login/second-factor',
    {
      config: authConfig({
        auth: 'none',
        operationId: 'loginWithCode',
        summary: 'Complete a sign-in with a code from an authenticator app, or a recovery code',
        errors: ACTION_ERRORS.loginWithCode,
      }),
      schema: { body: secondStepBody, response: { 200: sessionSchema } },
    },
    async ({ body, headers }, reply) => {
      const session = await accounts.loginWithCode({ ...body, userAgent: headers['user-agent'] })
      return sessionAnswer(reply, session, cookies)
    },
  )

  app.get(
    '/auth/second-factor',
    {
      config: accountConfig({
        auth: 'bearer',
        operationId: 'getSecondFactor',
        summary: 'Get whether two-factor authentication is enabled',
      }),
      schema: { response: { 200: secondFactorSchema } },
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store')
      const { isEnabled, recoveryCodesLeft } = await secondFactor.state(callerOf(request))
      return { enabled: isEnabled, recovery_codes_left: recoveryCodesLeft }
    },
  )

  app.post(
    '/auth/second-factor',
    {
      config: authConfig({
        auth: 'bearer',
        recent: true,
        operationId: 'createSecondFactor',
        summary: 'Create a key for an authenticator app (TOTP); it takes effect when a code confirms it',
        errors: ACTION_ERRORS.beginSecondFactor,
      }),
      schema: { response: { 201: secondFactorKeySchema } },
    },
    async (request, reply) => {
      const { key, url } = await secondFactor.begin(callerOf(request))
      reply.code(201).header('cache-control', 'no-store')
      return { secret: key, otpauth_url: url }
    },
  )

  app.post(
    '/auth/second-factor/confirm',
    {
      config: authConfig({
        auth: 'bearer',
        recent: 'sometimes',
        operationId: 'confirmSecondFactor',
        summary: 'Confirm the key with a code and the password, end all other sessions, and get recovery codes',
        errors: ACTION_ERRORS.confirmSecondFactor,
      }),
      schema: { body: confirmSecondFactorBody, response: { 200: recoveryCodesSchema } },
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store')
      return {
        recovery_codes: [
          ...(await secondFactor.confirm(callerOf(request), { ...request.body, from: clientOf(request) })),
        ],
      }
    },
  )

  app.delete(
    '/auth/second-factor',
    {
      config: authConfig({
        auth: 'bearer',
        operationId: 'deleteSecondFactor',
        summary: 'Disable two-factor authentication with a code',
        errors: ACTION_ERRORS.removeSecondFactor,
      }),
      schema: { body: secondFactorCodeBody, response: { 200: loggedOutSchema } },
    },
    async (request) => {
      await secondFactor.remove(callerOf(request), request.body.code)
      return { success: true as const }
    },
  )
}
