import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type {
  EnteredForm,
  Screen,
  ScreenAction,
  ScreenResult,
  ScreenTexts,
  ScreenView,
} from '../../../framework/module/screen.ts'
import { ACTION, textOf, WRITTEN_BY } from '../../../framework/module/screen-form.ts'
import { clearCookie } from '../../../http/cookies.ts'
import { type AskAgain, createForms } from '../../../http/html/account-forms.ts'
import {
  formRoutes,
  type PageAnswer,
  requireOwnForm,
  requireWithinLimit,
  sendPage,
} from '../../../http/html/html-forms.ts'
import { say } from '../../../http/html/viewer.ts'
import { goTo, goToSignIn, pageConfig, visitorOf } from '../../../http/html/visits.ts'
import { PROOF } from '../../../http/idempotency/send-once.ts'
import type { EepRoutes } from '../../../http/routes.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { isEepError, validationFailed } from '../../../kernel/errors.ts'
import type { Caller } from '../../../model/caller.ts'
import { recentSignInRequired, requireRecentProof } from '../../../model/recent-proof.ts'
import type { FileToolkit } from '../../../ports/file-toolkit.ts'
import { setSessionCookie } from '../../people/accounts/index.ts'
import { notProfileOwner, profileNotFound } from '../../profiles/profiles/index.ts'
import { type EnterDeps, enterScreen, type Visited } from './enter-screen.ts'
import { readMultipart, readUrlEncoded, type SentForm, sentForm } from './form-body.ts'
import { type FrameDeps, frameView } from './frame-html.ts'
import { isKept, type KeptForms } from './kept-form.ts'
import { endedSessionView, lostFormView } from './kept-form-html.ts'
import { consoleMessages } from './messages.ts'
import { problemOf } from './problems.ts'

/** What the routes of screens need. */
export interface ScreenRoutes extends EnterDeps, FrameDeps {
  readonly ownOrigins: ReadonlySet<string>
  readonly clock: Clock
  readonly askAgain: AskAgain
  readonly keptForms: KeptForms
  /** Parses forms with files. Undefined where no files can be stored. */
  readonly createFormParser?: FileToolkit['createFormParser'] | undefined
}

const MAX_FORM_BYTES = 65_536
const MAX_COOKIE_NAME = 40
const MAX_TEXT = 512

/** Begins the names of operations with a verb: `getProfileEditPage` for the screen `profileEdit`. */
const capitalized = (name: string) => name.charAt(0).toUpperCase() + name.slice(1)

/** The name of a screen in a cookie. */
const cookieName = ({ name }: Screen) =>
  `screen-${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`.slice(0, MAX_COOKIE_NAME)

/** The texts of a query that a screen knows, by their names. */
const queryOf = ({ query }: FastifyRequest, names: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(query ?? {}).filter(
      (entry): entry is [string, string] =>
        names.includes(entry[0]) && typeof entry[1] === 'string' && entry[1].length <= MAX_TEXT,
    ),
  )

/** The path of a request below the prefix of the listener, without its query. */
const pathOf = ({ url, eep }: FastifyRequest): string => (url.split('?', 1)[0] ?? '').slice(eep.basePath.length)

/** The parameters of a path: positive integers, but for those that are texts. */
function paramsOf({ path, texts = [] }: Screen): z.ZodObject {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  const id = z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER)
  return z.object(Object.fromEntries(names.map((name) => [name, texts.includes(name) ? z.string().max(MAX_TEXT) : id])))
}

/** Whether the body of a request may be larger than that of a form without files and long texts. */
const isLarge = ({ headers }: FastifyRequest): boolean => !(Number(headers['content-length']) <= MAX_FORM_BYTES)

const isMultipart = ({ headers }: FastifyRequest): boolean => /^multipart\//i.test(headers['content-type'] ?? '')

/** Takes the id of the form back, so that the form can be sent again with other values. */
async function abandon({ eep }: FastifyRequest): Promise<void> {
  const { attempt } = eep
  eep.attempt = undefined
  await attempt?.abandon()
}

/** Marks a form as processed, without storing what it is answered with. */
async function finishUnstored({ eep }: FastifyRequest): Promise<void> {
  const { attempt } = eep
  eep.attempt = undefined
  await attempt?.finish({ status: 200, headers: {}, body: '' }, false)
}

/** Adds the routes of the screens of all modules. */
export function screenRoutes(app: EepRoutes, deps: ScreenRoutes): void {
  const byCookie = new Map(deps.screens.map(({ screen }) => [cookieName(screen), screen]))
  for (const declared of deps.screens) addScreen(app, declared.screen, deps, byCookie)
}

function addScreen(app: EepRoutes, screen: Screen, deps: ScreenRoutes, byCookie: ReadonlyMap<string, Screen>): void {
  const { path, name, post, query = [] } = screen
  const english = screen.title({ language: 'en' })
  const params = paramsOf(screen)
  const errors = [...(screen.section === 'profile' ? [profileNotFound, notProfileOwner] : []), ...(screen.errors ?? [])]

  /** Sends the screen, or what a form shows in its place. */
  async function send(
    request: FastifyRequest,
    reply: FastifyReply,
    visited: Visited,
    {
      view,
      problem,
      made,
      answer,
    }: { view?: ScreenView; problem?: string; made?: string | undefined; answer?: PageAnswer } = {},
  ) {
    const shown = view ?? (await visited.get())
    const { site } = request.eep
    return sendPage(
      request,
      reply,
      {
        ...(await frameView(deps, { screen, visited, view: shown, problem, made })),
        said: ({ action, outcome }) => byCookie.get(action)?.said?.(outcome, site),
      },
      answer,
    )
  }

  app.get(
    path,
    {
      config: pageConfig({
        operationId: `get${capitalized(name)}Page`,
        summary: `Get the screen "${english}"`,
        errors,
      }),
      schema: {
        params,
        querystring: z.object(Object.fromEntries(query.map((each) => [each, z.string().max(MAX_TEXT).optional()]))),
        response: { 200: z.string(), 303: z.undefined() },
      },
    },
    async (request, reply) => {
      const caller = visitorOf(request)
      if (!caller) return goToSignIn(request, reply)
      return send(
        request,
        reply,
        await enterScreen(deps, screen, { request, path: pathOf(request), caller, query: queryOf(request, query) }),
      )
    },
  )
  if (!post) return

  /** Whether an action is refused without a recent proof of the person. */
  const needsProof = ({ recent }: Pick<ScreenAction<never>, 'recent'>) => recent === true || screen.section === 'admin'

  async function submit(
    request: FastifyRequest,
    reply: FastifyReply,
    sender: Caller,
    { texts: sent, files }: SentForm,
  ) {
    const { site, limited } = request.eep
    const path = pathOf(request)
    let caller = sender
    const kept = isKept(sent) ? await deps.keptForms.open(path, sent, caller.account.id) : undefined
    if (isKept(sent) && !kept) return goTo(request, reply, path)
    const texts = kept ?? sent
    const enter = (entered?: EnteredForm) =>
      enterScreen(deps, screen, { request, path, caller, query: queryOf(request, query), entered, files })
    const refuse = async (error: unknown, wrong: EnteredForm['wrong'] = {}) => {
      if (isEepError(error) && error.code === recentSignInRequired.code) {
        if (!(await deps.askAgain(request, reply, { caller, texts, path }))) return reply
      }
      const { status, problem, made } = problemOf(screen, error, request)
      const answer = { status, error: isEepError(error) ? error : undefined }
      try {
        const entered = { texts, wrong: { ...wrong, ...wrongByError(error, problem, request) }, error }
        return await send(request, reply, await enter(entered), { problem, made, answer })
      } catch {
        // The screen cannot be shown any more, so what was written is shown alone.
        return sendPage(request, reply, lostFormView(site, texts, problem), answer)
      }
    }
    const author = textOf(texts, WRITTEN_BY)
    // Another person signed in meanwhile, who does not get what was written.
    if (author !== undefined && author !== caller.account.id) return goTo(request, reply, path)
    if (limited) return refuse(limited)
    if (kept) return send(request, reply, await enter({ texts, wrong: {} }))
    if (Object.keys(texts).some((name) => name.startsWith(PROOF))) {
      const proved = await deps.askAgain(request, reply, { caller, texts, path })
      if (!proved) return reply
      caller = proved
    }
    let result: ScreenResult
    try {
      const { visit, actionOf } = await enter()
      const key = textOf(texts, ACTION) ?? ''
      const action = actionOf(key)
      if (!action) throw validationFailed({ message: 'body/do: Names no action of this page' })
      if (!visit.allows(key)) throw notProfileOwner()
      const read = action.schema.safeParse(texts)
      if (!read.success) return await refuse(validationFailed(), wrongOf(read.error, request))
      if (needsProof(action)) requireRecentProof(caller, deps.clock())
      if (Object.keys(files).length > 0) await request.eep.countIn?.(reply, 'files')
      // A form that brought a proof has been counted with it.
      if (action.limit && caller === sender) await request.eep.countIn?.(reply, action.limit)
      requireWithinLimit(request)
      // `screenAction` has checked that the action takes the values of its schema.
      result = await action.run(read.data as never)
    } catch (error) {
      return refuse(error)
    }
    if (result.to === undefined) {
      if (!result.isFinal) await abandon(request)
      else if (result.isSecret) await finishUnstored(request)
      return send(request, reply, await enter({ texts, wrong: {} }), { view: result.view })
    }
    if (result.said !== undefined) say(request, reply, { action: cookieName(screen), id: 0, outcome: result.said })
    const { cookies } = request.eep
    if (result.session === 'ended') clearCookie(reply, cookies.names.session, cookies)
    else if (result.session) setSessionCookie(reply, result.session, cookies)
    return goTo(request, reply, result.to)
  }

  function wrongOf({ issues }: z.ZodError, { eep: { site } }: FastifyRequest): EnteredForm['wrong'] {
    const byDefault = consoleMessages(site)('checkField')
    return Object.fromEntries(
      issues.map(({ path: [input] }) => [String(input), screen.wrong?.(String(input), site) ?? byDefault]),
    )
  }

  /** What the inputs say that an error is about: why it was refused, or that their value is not valid. */
  function wrongByError(error: unknown, problem: string, { eep: { site } }: FastifyRequest): EnteredForm['wrong'] {
    const inputs = isEepError(error) ? (screen.inputsOf?.(error) ?? []) : []
    const isInvalid = isEepError(error) && error.code === validationFailed.code
    const text = (input: string) =>
      isInvalid ? (screen.wrong?.(input, site) ?? consoleMessages(site)('checkField')) : problem
    return Object.fromEntries(inputs.map((input) => [input, text(input)]))
  }

  const maxBytes = screen.maxFormBytes ?? MAX_FORM_BYTES

  /** The page for a form whose session has ended. */
  async function endedView(request: FastifyRequest, texts: ScreenTexts) {
    const path = pathOf(request)
    const kept = await deps.keptForms.keep(path, texts, maxBytes)
    // With its query, without which the screen may not have the form.
    const address = request.url.slice(request.eep.basePath.length)
    return endedSessionView(request, { path: address, texts, kept })
  }

  const actions = Object.fromEntries(Object.entries(post).map(([key, { permission = null }]) => [key, permission]))
  const { createFormParser, ownOrigins } = deps
  formRoutes(
    app,
    (scope, instance) => {
      // Before the body is read, which may be large.
      instance.addHook('onRequest', (request, _reply, done) => {
        requireOwnForm(request, ownOrigins)
        // The texts of signed-in people are shown again. Large forms of others, and files, are not read.
        if (isLarge(request) && (!request.eep.caller || isMultipart(request))) requireWithinLimit(request)
        done()
      })
      if (screen.hasFiles && createFormParser) {
        // Elsewhere the handler of a route gets such a body as a stream.
        instance.removeContentTypeParser('multipart/form-data')
        instance.addContentTypeParser(
          'multipart/form-data',
          async (request: FastifyRequest, payload: IncomingMessage) => {
            const caller = visitorOf(request)
            // Files of people who are not signed in are not read. Their form is answered like an empty one.
            if (!caller) {
              payload.resume()
              return {}
            }
            // Nor are those of people who may not open the screen.
            await enterScreen(deps, screen, { request, path: pathOf(request), caller })
            return readMultipart(payload, request.headers, createFormParser)
          },
        )
      }
      createForms(scope, ownOrigins).form(
        {
          path,
          operationId: `submit${capitalized(name)}`,
          summary: `Submit the screen "${english}" (HTML form)`,
          sendsPage: true,
          keepsForm: true,
          hasFormId: true,
          recent: Object.values(post).some((action) => action.recent || needsProof(action)) ? 'in_page' : undefined,
          actions,
          params,
          errors,
          maxBytes,
        },
        async (request, reply) => {
          const sent = sentForm(request.body)
          const caller = visitorOf(request)
          if (caller) return submit(request, reply, caller, sent)
          return sendPage(request, reply, await endedView(request, sent.texts), 401)
        },
      )
    },
    { maxBytes, read: readUrlEncoded },
  )
}
