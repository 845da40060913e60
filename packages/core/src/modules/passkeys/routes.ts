import type { CookiePolicy } from '../../http/cookies.ts'
import { listResponse } from '../../http/lists.ts'
import { callerOf } from '../../http/request-context.ts'
import type { EepRoutes } from '../../http/routes.ts'
import {
  accountBanned,
  accountConfig,
  authConfig,
  invalidCredentials,
  loginCapacityExceeded,
  sessionAnswer,
  sessionSchema,
  wrongPassword,
} from '../accounts/index.ts'
import {
  passkeyChallengeRefused,
  passkeyExists,
  passkeyLimitReached,
  passkeyNotFound,
  passkeyRefused,
  passkeyRegistrationRefused,
  passkeysDisabled,
} from './errors.ts'
import {
  addPasskeyBody,
  creationOptionsSchema,
  deletePasskeyBody,
  passkeyDeletedSchema,
  passkeyListSchema,
  passkeyParams,
  passkeySchema,
  passkeySignInBody,
  renamePasskeyBody,
  requestOptionsSchema,
  serializePasskey,
} from './schemas.ts'
import type { PasskeyService } from './service.ts'

/** The routes below `/auth/passkeys`. */
export function passkeyRoutes(
  app: EepRoutes,
  { passkeys }: { readonly passkeys: PasskeyService },
  cookies: CookiePolicy,
): void {
  manageRoutes(app, passkeys)
  signInRoutes(app, passkeys, cookies)
}

function manageRoutes(app: EepRoutes, passkeys: PasskeyService): void {
  app.post(
    '/auth/passkeys/registration/options',
    {
      config: authConfig({
        auth: 'bearer',
        operationId: 'createPasskeyOptions',
        summary: 'Create the options with which a browser creates a passkey (WebAuthn)',
        errors: [passkeyLimitReached, passkeysDisabled],
      }),
      schema: { response: { 200: creationOptionsSchema } },
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store')
      return passkeys.registrationOptions(callerOf(request))
    },
  )

  app.post(
    '/auth/passkeys',
    {
      config: authConfig({
        auth: 'bearer',
        operationId: 'createPasskey',
        summary: 'Create a passkey of the account from the response of a browser',
        errors: [
          passkeyRegistrationRefused,
          passkeyChallengeRefused,
          passkeyExists,
          passkeyLimitReached,
          passkeysDisabled,
        ],
      }),
      schema: { body: addPasskeyBody, response: { 201: passkeySchema } },
    },
    async (request, reply) => {
      const added = await passkeys.register(callerOf(request), request.body)
      reply.code(201)
      return serializePasskey(added)
    },
  )

  app.get(
    '/auth/passkeys',
    {
      config: accountConfig({
        auth: 'bearer',
        operationId: 'listPasskeys',
        summary: 'List the passkeys of the account, oldest first; at most 20',
      }),
      schema: { response: { 200: passkeyListSchema } },
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store')
      const items = await passkeys.list(callerOf(request))
      return listResponse({ items, total: items.length, nextCursor: undefined }, serializePasskey)
    },
  )

  app.patch(
    '/auth/passkeys/:id',
    {
      config: accountConfig({
        auth: 'bearer',
        operationId: 'renamePasskey',
        summary: 'Change the name of a passkey of the account',
        errors: [passkeyNotFound],
      }),
      schema: { params: passkeyParams, body: renamePasskeyBody, response: { 200: passkeySchema } },
    },
    async (request) => serializePasskey(await passkeys.rename(callerOf(request), request.params.id, request.body.name)),
  )

  app.delete(
    '/auth/passkeys/:id',
    {
      config: authConfig({
        auth: 'bearer',
        operationId: 'deletePasskey',
        summary: 'Delete a passkey, confirmed by the password or a passkey, and end all other sessions',
        errors: [
          passkeyNotFound,
          wrongPassword,
          passkeyRefused,
          passkeyChallengeRefused,
          passkeysDisabled,
          loginCapacityExceeded,
        ],
      }),
      schema: { params: passkeyParams, body: deletePasskeyBody, response: { 200: passkeyDeletedSchema } },
    },
    async (request) => {
      const { password, response } = request.body
      // The schema requires one of the two.
      const proof = response === undefined ? { password: password ?? '' } : { response }
      await passkeys.remove(callerOf(request), request.params.id, proof)
      return { success: true as const }
    },
  )
}

function signInRoutes(app: EepRoutes, passkeys: PasskeyService, cookies: CookiePolicy): void {
  app.post(
    '/auth/passkeys/options',
    {
      config: authConfig({
        auth: 'none',
        operationId: 'createPasskeySignInOptions',
        summary: 'Create the options with which a browser uses a passkey (WebAuthn); the same for every account',
        errors: [passkeysDisabled],
      }),
      schema: { response: { 200: requestOptionsSchema } },
    },
    async (_request, reply) => {
      reply.header('cache-control', 'no-store')
      return passkeys.signInOptions()
    },
  )

  app.post(
    '/auth/passkeys/login',
    {
      config: authConfig({
        auth: 'none',
        operationId: 'loginWithPasskey',
        summary: 'Sign in with a passkey',
        errors: [passkeyRefused, passkeyChallengeRefused, accountBanned, invalidCredentials, passkeysDisabled],
      }),
      schema: { body: passkeySignInBody, response: { 200: sessionSchema } },
    },
    async (request, reply) =>
      sessionAnswer(reply, await passkeys.signIn(request.body.response, request.headers['user-agent']), cookies),
  )
}
