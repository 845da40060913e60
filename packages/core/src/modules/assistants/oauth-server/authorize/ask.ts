import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ScreenTexts } from '../../../../framework/module/screen.ts'
import { textOf, textsNamed } from '../../../../framework/module/screen-form.ts'
import { type PageAnswer, requireWithinLimit, sendPage } from '../../../../http/html/html-forms.ts'
import type { Clock } from '../../../../kernel/clock.ts'
import type { Caller } from '../../../../model/caller.ts'
import { type OfferedProofs, type PersonProof, refusedForm } from '../../../pages/account-pages/index.ts'
import type { AccountService } from '../../../people/accounts/index.ts'
import type { App } from '../clients/app.ts'
import { consentMessages } from '../messages.ts'
import { ALL_PROFILES, withinReach } from '../profile-choice.ts'
import type { DescribeScopes } from '../scope-inputs-html.ts'
import { type ChosenLimits, limitInput, mostText, readLimits } from '../spending-html.ts'
import { type EnteredChoice, enteredChoice } from './choice.ts'
import type { Choice } from './consent.ts'
import { type AnswerTarget, type AppTrust, consentView } from './consent-page.ts'
import { textsIn } from './page-requests.ts'
import { needsProof } from './proof-age.ts'

export interface AskDeps {
  readonly accounts: Pick<AccountService, 'me'>
  readonly person: PersonProof
  readonly describe: DescribeScopes
  readonly clock: Clock
  /** The limits of spending that are chosen, and the most of each. */
  readonly limits: ChosenLimits
  readonly idleDays: number
  readonly maxDays: number
  /** The names of the providers with which people sign in. */
  readonly providers: readonly string[]
}

/** What a person is asked to allow. */
export interface Question {
  readonly path: string
  readonly app: Pick<App, 'name' | 'host'>
  readonly trust: AppTrust
  readonly answer: AnswerTarget
  readonly scopes: readonly string[]
  readonly maySpend: boolean
  /** How old the proof of the person may be, in seconds. */
  readonly maxAge?: number | undefined
  readonly formTargets: readonly string[]
  /** Whether the form is sent once. Default: false, because its code is made from the sealed request. */
  readonly hasFormId?: boolean | undefined
  /** Returns the hidden field. */
  seal(): Promise<string>
  /** Returns the address that shows this page again after a proof. */
  hereFor(offered: OfferedProofs): Promise<string>
}

interface Shown {
  readonly entered?: EnteredChoice | undefined
  readonly problem?: string | undefined
  readonly answer?: PageAnswer | number | undefined
  /** The hidden field of the form that was sent. */
  readonly request?: string | undefined
}

/** Shows the page on which a person connects an app, and reads what they chose. */
export function createAsk(deps: AskDeps) {
  const { accounts, person, describe, clock, limits } = deps

  async function show(
    request: FastifyRequest,
    reply: FastifyReply,
    caller: Caller,
    question: Question,
    { entered, problem, answer = 200, request: sealed }: Shown = {},
  ) {
    const { site } = request.eep
    const { profiles } = await accounts.me(caller)
    const isAsked = needsProof(caller, clock(), question.maxAge)
    const offered = isAsked ? await person.offered(caller) : undefined
    const { scopes } = question
    const view = consentView(site, {
      ...question,
      app: { name: question.app.name, host: question.app.host },
      request: sealed ?? (await question.seal()),
      account: caller.account.username,
      profiles: withinReach(profiles).map(({ profile: { id, fullName, username } }) => ({
        id,
        name: fullName ?? username,
      })),
      scopes: describe(site, scopes),
      limits: {
        chosen: limits,
        most: limits,
        hasMoney: scopes.includes('spend:payments'),
        hasCredits: scopes.includes('spend:credits'),
      },
      idleDays: deps.idleDays,
      maxDays: deps.maxDays,
      proof: offered && { offered, here: await question.hereFor(offered), providers: deps.providers },
      entered,
      problem,
    })
    reply.header('cross-origin-opener-policy', 'same-origin')
    return sendPage(request, reply, view, answer)
  }

  /** Reads the profile and the limits of a form. */
  function read(request: FastifyRequest, texts: ScreenTexts): { choice: Choice } | { wrong: EnteredChoice['wrong'] } {
    const say = consentMessages(request.eep.site)
    const entered = enteredChoice(texts)
    const profile = entered.profile ?? ''
    const isProfile = profile === ALL_PROFILES || /^[1-9]\d{0,14}$/.test(profile)
    const { limits: chosen, wrong = [] } = readLimits(entered.limits, { chosen: limits, most: limits })
    if (chosen && isProfile) {
      const profileId = profile === ALL_PROFILES ? null : Number(profile)
      return { choice: { scopes: entered.scopes, profileId, limits: chosen } }
    }
    return {
      wrong: {
        ...(!isProfile && { profile: say('wrongProfile') }),
        ...Object.fromEntries(
          wrong.map((name) => [
            limitInput(name),
            say('wrongLimit', { amount: mostText(request.eep.site, name, limits) }),
          ]),
        ),
      },
    }
  }

  return {
    show,
    /**
     * Reads a form that allows something, with the proof of the person that it may bring. Returns what was chosen; undefined when the page
     * was shown again, with what is missing.
     */
    async readAllowed(
      request: FastifyRequest,
      reply: FastifyReply,
      caller: Caller,
      question: Question,
    ): Promise<Choice | undefined> {
      const { site } = request.eep
      const texts = textsIn(request.body)
      const sealed = textOf(texts, 'request')
      const again = async (shown: Shown, wrong: EnteredChoice['wrong'] = {}) => {
        await show(request, reply, caller, question, {
          ...shown,
          request: sealed,
          entered: enteredChoice(texts, wrong),
        })
        return undefined
      }
      const found = read(request, texts)
      if ('wrong' in found) {
        const problem = Object.values(found.wrong).find((text) => text !== undefined)
        return again({ problem, answer: 400 }, found.wrong)
      }
      if (!needsProof(caller, clock(), question.maxAge)) return found.choice
      try {
        if (await person.prove(request, reply, { caller, texts, isCounted: true })) return found.choice
      } catch (error) {
        return again(refusedForm(site, error))
      }
      return again({ problem: consentMessages(site)('notProved'), answer: 403 })
    },
    /** Shows the page again with an error that people can act on. @throws other errors */
    async showError(request: FastifyRequest, reply: FastifyReply, caller: Caller, question: Question, error: unknown) {
      const texts = textsIn(request.body)
      const { problem, answer } = refusedForm(request.eep.site, error)
      const shown = { problem, answer, request: textOf(texts, 'request'), entered: enteredChoice(texts) }
      return show(request, reply, caller, question, shown)
    },
    /** Whether a form allows nothing: its button denies, or no box is ticked. */
    isDenial: (texts: ScreenTexts): boolean =>
      textOf(texts, 'decision') !== 'allow' || textsNamed(texts, 'scope').length === 0,
    /** Refuses a form over the rate limit, with what was entered. Returns whether the page was shown. */
    async isLimited(
      request: FastifyRequest,
      reply: FastifyReply,
      caller: Caller,
      question: Question,
    ): Promise<boolean> {
      try {
        requireWithinLimit(request)
        return false
      } catch (error) {
        await this.showError(request, reply, caller, question, error)
        return true
      }
    },
  }
}

export type Ask = ReturnType<typeof createAsk>
