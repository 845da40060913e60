import { z } from 'zod'
import type { ScopeDefinition } from '../../../../framework/module/scope.ts'
import { type Screen, type ScreenVisit, screenAction } from '../../../../framework/module/screen.ts'
import {
  actionButton,
  buttonOnly,
  isChosen,
  ofForm,
  screenForm,
  shownText,
  wrongWith,
} from '../../../../framework/module/screen-form.ts'
import { tableHtml } from '../../../../framework/module/screen-list.ts'
import { secretResult } from '../../../../framework/module/screen-secret.ts'
import { type Html, html } from '../../../../http/html/html.ts'
import { lineHtml, selectHtml } from '../../../../http/html/inputs.ts'
import { emptyHtml } from '../../../../http/html/pieces.ts'
import type { Clock } from '../../../../kernel/clock.ts'
import { DAY_MS } from '../../../../kernel/durations.ts'
import { line } from '../../../../kernel/text-fields.ts'
import { dayText } from '../../../../model/day-text.ts'
import type { ProfileOfAccount } from '../../../../ports/storage/teams.ts'
import type { AccountService } from '../../../people/accounts/index.ts'
import { type ApiKeyService, type IssuedKey, type ListedKey, scopeText } from '../../../people/api-keys/index.ts'
import { scopeInputsHtml } from '../account/scope-inputs-html.ts'
import { keysScreenMessages } from '../messages.ts'
import { many, oneId } from '../values.ts'

/** The path of the screen with the keys of an account. */
const API_KEYS_PATH = '/account/keys'

const MAX_NAME = 64
const LIFETIMES = ['30', '90', '365', 'never'] as const

type KeysKey = Parameters<ReturnType<typeof keysScreenMessages>>[0]

const PROBLEMS = new Map<string, KeysKey>([
  ['api_key_not_found', 'gone'],
  ['too_many_api_keys', 'tooMany'],
  ['profile_not_found', 'profileGone'],
  ['not_profile_owner', 'profileGone'],
])

export interface ApiKeysScreen {
  readonly apiKeys: Pick<ApiKeyService, 'list' | 'create' | 'rotate' | 'revoke'>
  readonly accounts: Pick<AccountService, 'me'>
  readonly clock: Clock
  /** The scopes that keys may have. */
  readonly scopes: readonly ScopeDefinition[]
}

/** Shows the text of a new key, once. */
function issued({ site }: ScreenVisit, { key, text }: IssuedKey) {
  const say = keysScreenMessages(site)
  return secretResult(site, {
    title: say('createdTitle', { name: key.name }),
    label: say('key'),
    secret: text,
    once: say('once'),
    copy: say('copy'),
    copied: say('copied'),
    back: say('back'),
    backTo: API_KEYS_PATH,
  })
}

const actionsOf = ({ apiKeys, scopes, clock }: ApiKeysScreen) => ({
  create: screenAction({
    recent: true,
    schema: z.object({
      name: line(MAX_NAME),
      scope: many.pipe(
        z
          .array(z.enum(scopes.map(({ name }) => name)))
          .min(1)
          .max(scopes.length),
      ),
      lifetime: z.enum(LIFETIMES),
      profile: z.union([z.literal('').transform(() => undefined), oneId]),
    }),
    async run(visit: ScreenVisit, { name, scope, lifetime, profile }) {
      const expiresAt = lifetime === 'never' ? null : new Date(clock().getTime() + Number(lifetime) * DAY_MS)
      return issued(visit, await apiKeys.create({ name, scopes: scope, expiresAt, profileId: profile }, visit.caller))
    },
  }),
  rotate: screenAction({
    recent: true,
    schema: z.object({ key: oneId }),
    run: async (visit: ScreenVisit, { key }) => issued(visit, await apiKeys.rotate(key, visit.caller)),
  }),
  revoke: screenAction({
    schema: z.object({ key: oneId }),
    async run({ caller, path }: ScreenVisit, { key }) {
      await apiKeys.revoke(key, caller)
      return { to: path, said: 'revoked' }
    },
  }),
})

function keysHtml(
  visit: ScreenVisit,
  keys: readonly ListedKey[],
  profiles: readonly ProfileOfAccount[],
  scopes: readonly ScopeDefinition[],
): Html {
  const { site } = visit
  const say = keysScreenMessages(site)
  const profileOf = ({ profileId }: ListedKey) => {
    if (profileId === null) return say('allProfiles')
    const found = profiles.find(({ profile }) => profile.id === profileId)?.profile
    return html`<bdi>${found?.fullName ?? found?.username ?? String(profileId)}</bdi>`
  }
  const key = ({ id }: ListedKey) => ({ key: String(id) })
  return tableHtml<ListedKey>(
    say('title'),
    [
      {
        label: say('name'),
        cell: ({ name, masked }) => html`<strong><bdi>${name}</bdi></strong><br><code>${masked}</code>`,
      },
      {
        label: say('may'),
        cell: (each) =>
          html`<details><summary>${say('scopeCount', { count: each.scopes.length })}</summary><ul>${each.scopes.map((scope) => html`<li>${scopeText(site, scopes.find(({ name }) => name === scope) ?? { name: scope })}</li>`)}</ul></details><small>${profileOf(each)}</small>`,
      },
      {
        label: say('used'),
        cell: ({ usage }) =>
          usage.lastUsedAt === null
            ? say('neverUsed')
            : html`${dayText(site, usage.lastUsedAt)}<br><small>${say('uses', { count: usage.last30d })}</small>`,
      },
      { label: say('expires'), cell: ({ expiresAt }) => (expiresAt ? dayText(site, expiresAt) : say('never')) },
      {
        label: '',
        cell: (each) =>
          html`<details><summary>${say('change')}</summary><p class="soft">${say('rotateHint')}</p>${buttonOnly(visit, 'rotate', say('rotate'), key(each))}<p class="soft">${say('revokeHint')}</p>${buttonOnly(visit, 'revoke', say('revoke'), key(each), 'danger')}</details>`,
      },
    ],
    keys,
  )
}

function createForm(
  visited: ScreenVisit,
  { scopes }: Pick<ApiKeysScreen, 'scopes'>,
  profiles: readonly ProfileOfAccount[],
): Html | false {
  const actions = ['create']
  const visit = ofForm(visited, actions)
  const say = keysScreenMessages(visit.site)
  const isReading = (scope: string) => scope.startsWith('read:')
  const noScope = wrongWith(visit, 'scope')
  return screenForm(
    visit,
    { actions },
    html`<h2>${say('createTitle')}</h2>${lineHtml({
      name: 'name',
      label: say('name'),
      hint: say('nameHint'),
      value: shownText(visit, 'name', ''),
      maxLength: MAX_NAME,
      isRequired: true,
      problem: wrongWith(visit, 'name'),
    })}${noScope && html`<p class="wrong">${noScope}</p>`}${scopeInputsHtml(visit.site, scopes, (scope) => isChosen(visit, 'scope', scope, isReading(scope)))}<div class="pair">${selectHtml(
      {
        name: 'profile',
        label: say('profile'),
        choices: [
          { value: '', label: say('allProfiles'), isChosen: isChosen(visit, 'profile', '', true) },
          ...profiles.map(({ profile: { id, fullName, username } }) => ({
            value: String(id),
            label: fullName ?? username,
            language: 'und',
            isChosen: isChosen(visit, 'profile', String(id), false),
          })),
        ],
      },
    )}${selectHtml({
      name: 'lifetime',
      label: say('lifetime'),
      choices: LIFETIMES.map((value) => ({
        value,
        label: value === 'never' ? say('never') : say('days', { count: Number(value) }),
        isChosen: isChosen(visit, 'lifetime', value, value === '90'),
      })),
    })}</div><p>${actionButton(visit, 'create', say('create'))}</p>`,
  )
}

/** The screen with the API keys of an account. The text of a key is shown once. */
export const apiKeysScreen = (deps: ApiKeysScreen): Screen => ({
  name: 'accountKeys',
  path: API_KEYS_PATH,
  section: 'account',
  nav: { position: 60 },
  title: (page) => keysScreenMessages(page)('title'),
  said: (outcome, page) => (outcome === 'revoked' ? keysScreenMessages(page)('revoked') : undefined),
  problem({ code }, page) {
    const key = PROBLEMS.get(code)
    return key && keysScreenMessages(page)(key)
  },
  wrong: (input, page) =>
    input === 'scope'
      ? keysScreenMessages(page)('noScope')
      : input === 'name'
        ? keysScreenMessages(page)('noName')
        : undefined,
  post: actionsOf(deps),
  async get(visit) {
    const say = keysScreenMessages(visit.site)
    const [keys, { profiles }] = await Promise.all([deps.apiKeys.list(visit.caller), deps.accounts.me(visit.caller)])
    return {
      lead: say('lead'),
      body: html`${keys.length === 0 ? emptyHtml(say('none')) : keysHtml(visit, keys, profiles, deps.scopes)}${createForm(visit, deps, profiles)}`,
    }
  },
})
