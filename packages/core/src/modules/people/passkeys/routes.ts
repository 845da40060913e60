import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { CookiePolicy } from '../../../http/cookies.ts'
import { wholeListResponse } from '../../../http/documents/lists.ts'
import { clientOf } from '../../../http/pipeline/client-address.ts'
import { callerOf } from '../../../http/pipeline/request-context.ts'
import type { EepRoutes } from '../../../http/routes.ts'
import {
  accountBanned,
  accountConfig,
  authConfig,
  browserSessionAnswer,
  browserSessionSchema,
  invalidCredentials,
  loginCapacityExceeded,
  provedAnswer,
  provedSchema,
  tooManyWrongPasswords,
  wrongPassword,
} from '../accounts/index.ts'
import {
  DELETION_ERRORS,
  passkeyChallengeRefused,
  passkeyConfirmationRequired,
  passkeyExists,
  passkeyLimitReached,
  passkeyNotFound,
  passkeyRefused,
  passkeyRegistrationRefused,
} from './errors.ts'
import {
  addPasskeyBody,
  creationOptionsSchema,
  deletePasskeyBody,
  passkeyDeletedSchema,
  passkeyListSchema,
  passkeyOptionsBody,
  passkeyParams,
  passkeySchema,
  passkeySignInBody,
  passkeysDeletedSchema,
  renamePasskeyBody,
  requestOptionsSchema,
  serializePasskey,
} from './schemas.ts'
import type { PasskeyOwnerProof, PasskeyService } from './service.ts'

/** The routes below `/auth/passkeys`. */
export function passkeyRoutes(
  app: EepRoutes,
  { passkeys }: { readonly passkeys: PasskeyService },
  cookies: CookiePolicy,
): void {
  manageRoutes(app, passkeys)
  signInRoutes(app, passkeys, cookies)
}

type SentProof = Readonly<z.output<typeof deletePasskeyBody>>

/** The proof of the owner in a body. Undefined when it has none. */
const proofIn = (request: FastifyRequest, { password, response }: SentProof): PasskeyOwnerProof | undefined =>
  response ? { response } : password === undefined ? undefined : { password, from: clientOf(request) }

/** The same where the schema requires one. */
const requireProof = (request: FastifyRequest, body: SentProof): PasskeyOwnerProof =>
  proofIn(request, body) ?? { password: '' }

function manageRoutes(app: EepRoutes, passkeys: PasskeyService): void {
  app.post(
    '/auth/passkeys/registration/options',
    {
      config: authConfig({
        auth: 'bearer',
        operationId: 'createPasskeyOptions',
        summary: 'Create the options for a new passkey (WebAuthn)',
        errors: [
          passkeyConfirmationRequired,
          wrongPassword,
          tooManyWrongPasswords,
          passkeyRefused,
          passkeyChallengeRefused,
          passkeyLimitReached,
          loginCapacityExceeded,
        ],
      }),
      schema: { body: passkeyOptionsBody, response: { 200: creationOptionsSchema } },
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store')
      return passkeys.registrationOptions(callerOf(request), proofIn(request, request.body ?? {}))
    },
  )

  app.post(
    '/auth/passkeys',
    {
      config: authConfig({
        auth: 'bearer',
        operationId: 'createPasskey',
        summary: 'Create a passkey for the account from the response of the browser',
        errors: [passkeyRegistrationRefused, passkeyChallengeRefused, passkeyExists, passkeyLimitReached],
      }),
      schema: { body: addPasskeyBody, response: { 201: passkeySchema } },
    },
    async (request, reply) => {
      const added = await passkeys.register(callerOf(request), request.body)
      reply.code(201)
      return serializePasskey(added)
    },
  )

  app.post(
    '/auth/passkeys/prove',
    {
      config: authConfig({
        auth: 'bearer',
        readsOnly: true,
        operationId: 'proveOwnerWithPasskey',
        summary: 'Confirm with a passkey that the caller owns the account, for ten minutes',
        errors: [passkeyRefused, passkeyChallengeRefused],
      }),
      schema: { body: passkeySignInBody, response: { 200: provedSchema } },
    },
    async (request) => provedAnswer(await passkeys.prove(callerOf(request), request.body.response)),
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
      return wholeListResponse(await passkeys.list(callerOf(request)), serializePasskey)
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
        errors: [passkeyNotFound, ...DELETION_ERRORS],
      }),
      schema: { params: passkeyParams, body: deletePasskeyBody, response: { 200: passkeyDeletedSchema } },
    },
    async (request) => {
      await passkeys.remove(callerOf(request), request.params.id, requireProof(request, request.body))
      return { success: true as const }
    },
  )

  app.delete(
    '/auth/passkeys',
    {
      config: authConfig({
        auth: 'bearer',
        operationId: 'deletePasskeys',
        summary: 'Delete all passkeys of the account, and end all other sessions',
        errors: DELETION_ERRORS,
      }),
      schema: { body: deletePasskeyBody, response: { 200: passkeysDeletedSchema } },
    },
    async (request) => {
      const deleted = await passkeys.removeAll(callerOf(request), requireProof(request, request.body))
      return { success: true as const, deleted }
    },
  )
}

function signInRoutes(app: EepRoutes, passkeys: PasskeyService, cookies: CookiePolicy): void {
  app.post(
    '/auth/passkeys/options',
    {
      // Every opened sign-in page requests them, so they do not count as attempts to sign in.
      config: accountConfig({
        auth: 'none',
        operationId: 'createPasskeySignInOptions',
        summary: 'Create the WebAuthn options for signing in with a passkey',
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
        errors: [passkeyRefused, passkeyChallengeRefused, accountBanned, invalidCredentials],
      }),
      schema: { body: passkeySignInBody, response: { 200: browserSessionSchema } },
    },
    async (request, reply) =>
      browserSessionAnswer(reply, await passkeys.signIn(request.body.response, request.headers['user-agent']), cookies),
  )
}
