import type { ProfileVisit } from '../../../../framework/module/screen.ts'
import {
  actionButton,
  buttonOnly,
  isChosen,
  ofForm,
  screenForm,
  shownText,
  wrongWith,
} from '../../../../framework/module/screen-form.ts'
import { type Html, html } from '../../../../http/html/html.ts'
import { imageHref } from '../../../../http/html/image-href.ts'
import { areaHtml, boxHtml, cardsHtml, fileHtml, lineHtml } from '../../../../http/html/inputs.ts'
import { faceHtml } from '../../../../http/html/pieces.ts'
import { DEFAULT_APPEARANCE } from '../../../../http/html/style.ts'
import { hrefOn } from '../../../../http/html/view.ts'
import { PREFIX_BY_TYPE } from '../../../../model/profile-type.ts'
import { CAPABILITIES, profilePath, traitName, VISIBILITIES } from '../../../profiles/profiles/index.ts'
import { editProfileMessages } from '../messages.ts'
import type { TypeField } from './field-kinds.ts'
import { customInputsHtml, typeInputsHtml } from './type-inputs-html.ts'

/** The networks that the form offers. A profile may name others. */
const NETWORKS = ['website', 'github', 'mastodon', 'bluesky', 'linkedin', 'instagram', 'youtube'] as const

/** Begins the names of the inputs of networks: `s.github`. */
export const NETWORK_INPUT = 's.'

/** The networks of a form: those that it offers, then those that the profile names. */
export const networksOf = (socials: Readonly<Record<string, string>>): readonly string[] => [
  ...new Set<string>([...NETWORKS, ...Object.keys(socials)]),
]

const list = (texts: readonly string[]) => texts.join(', ')

/** Writes the form with the fields of a profile. */
function fieldsForm(visited: ProfileVisit, fields: readonly TypeField[]): Html | false {
  const actions = ['save']
  const visit = ofForm(visited, actions)
  const { site, profile } = visit
  const say = editProfileMessages(site)
  const line = (
    name: string,
    label: string | Html,
    stored: string | null,
    more: Partial<Parameters<typeof lineHtml>[0]> = {},
  ) => lineHtml({ name, label, value: shownText(visit, name, stored), problem: wrongWith(visit, name), ...more })
  const area = (name: string, label: string, stored: string | null, maxLength: number, hint?: string) =>
    areaHtml({
      name,
      label,
      hint,
      rows: 5,
      maxLength,
      value: shownText(visit, name, stored),
      problem: wrongWith(visit, name),
    })
  const shownAccent = shownText(visit, 'accent', profile.accent)
  const byDefault = (site.appearance ?? DEFAULT_APPEARANCE).light.accent
  return screenForm(
    visit,
    { actions },
    html`<section><h2>${say('basics')}</h2>
${line('full_name', say('name'), profile.fullName, { maxLength: 128 })}${area('bio', say('bio'), profile.bio, 5_000, say('bioHint'))}</section>
${fields.length > 0 && html`<section><h2>${say('details')}</h2>${typeInputsHtml(visit, profile.type, fields, profile.typeData)}</section>\n`}<section><h2>${say('links')}</h2>
<div class="pair">${networksOf(profile.socials).map((network) => line(`${NETWORK_INPUT}${network}`, network === 'website' ? say('website') : html`<bdi>${network}</bdi>`, profile.socials[network] ?? null, { maxLength: 2_048, isExact: true }))}</div></section>
<section><h2>${say('topics')}</h2>
${line('skills', say('skills'), list(profile.skills), { hint: say('commas') })}${line('keywords', say('keywords'), list(profile.keywords), { hint: say('commas') })}
<fieldset><legend>${say('traits')}</legend>${CAPABILITIES.map((trait) => boxHtml({ name: 'capabilities', id: `trait-${trait}`, value: trait, label: traitName(trait, site), isChecked: isChosen(visit, 'capabilities', trait, profile.capabilities.includes(trait)) }))}</fieldset></section>
<section><h2>${say('look')}</h2>
${boxHtml({ name: 'has_accent', value: '1', label: say('hasAccent'), isChecked: isChosen(visit, 'has_accent', '1', profile.accent !== null) })}${line('accent', say('accent'), shownAccent || byDefault, { type: 'color', hint: say('accentHint') })}</section>
<section><h2>${say('forAgents')}</h2>
${area('agent_instructions', say('instructions'), profile.agentInstructions, 10_000, say('instructionsHint'))}${area('agent_rules', say('rules'), profile.agentRules, 10_000)}</section>
<section><h2>${say('custom')}</h2>
<p class="soft">${say('customHint')}</p>
${customInputsHtml(visit, profile.customFields)}</section>
<p class="bar">${actionButton(visit, 'save', say('save'))}</p>`,
  )
}

/** Writes the forms of a picture: to upload one, and to remove it. */
function pictureForm(visited: ProfileVisit, which: 'avatar' | 'cover'): Html | false {
  const [actions, among] = [['upload'], { which }]
  const visit = ofForm(visited, actions, among)
  const { site, profile } = visit
  const say = editProfileMessages(site)
  const address = which === 'avatar' ? profile.avatarUrl : profile.coverUrl
  const href = imageHref(address, site)
  const shown =
    which === 'avatar'
      ? html`<p class="preview">${faceHtml(profile.fullName ?? profile.username, href, site, true)}</p>`
      : href === undefined
        ? html`<div class="cover"></div>`
        : html`<img class="cover" src="${href}" alt="">`
  const upload = screenForm(
    visit,
    { actions, among, hasFiles: true },
    html`${fileHtml({ name: which, label: say(which), accept: 'image/*', isRequired: true, problem: wrongWith(visit, which) })}<p class="acts">${actionButton(visit, 'upload', say('upload'), 'second')}</p>`,
  )
  const remove = address !== null && buttonOnly(visited, 'removePicture', say('remove'), { which }, 'quiet')
  return html`<section class="card">${shown}${upload}${remove}</section>\n`
}

/** Writes the form with the visibility of the profile. */
function visibilityForm(visited: ProfileVisit): Html | false {
  const actions = ['show']
  const visit = ofForm(visited, actions)
  const { site, profile } = visit
  const say = editProfileMessages(site)
  const current = profile.visibilityOnceVerified ?? profile.visibility
  const form = screenForm(
    visit,
    { actions },
    html`${cardsHtml({
      name: 'visibility',
      label: say('visibility'),
      problem: wrongWith(visit, 'visibility'),
      choices: VISIBILITIES.map((value) => ({
        value,
        label: say(value),
        hint: say(`${value}Hint`),
        isChosen: isChosen(visit, 'visibility', value, value === current),
      })),
    })}${profile.visibilityOnceVerified !== null && html`<p class="soft">${say('waits')}</p>`}<p class="acts">${actionButton(visit, 'show', say('saveVisibility'), 'second')}</p>`,
  )
  return form && html`<section class="card">${form}</section>\n`
}

/** Writes the form that renames the profile, with what it does to links. */
function renameForm(visited: ProfileVisit): Html | false {
  const actions = ['rename']
  const visit = ofForm(visited, actions)
  const { site, profile } = visit
  const say = editProfileMessages(site)
  const form = screenForm(
    visit,
    { actions },
    html`${lineHtml({
      name: 'username',
      label: say('username'),
      hint: say('renameHint', { prefix: PREFIX_BY_TYPE[profile.type] }),
      value: shownText(visit, 'username', profile.username),
      maxLength: 64,
      isRequired: true,
      isExact: true,
      problem: wrongWith(visit, 'username'),
    })}<p class="acts">${actionButton(visit, 'rename', say('rename'), 'second')}</p>`,
  )
  return form && html`<section class="card"><h2>${say('address')}</h2>${form}</section>`
}

/** Writes the links to the public page of a profile. */
export function publicLinksHtml({ site, profile }: Pick<ProfileVisit, 'site' | 'profile'>): Html {
  const say = editProfileMessages(site)
  return html`<span class="acts"><a class="btn second" href="${hrefOn(site, profilePath(profile))}">${say('see')}</a></span>`
}

/** Writes the forms of the screen that edits a profile. */
export const editProfileHtml = (visit: ProfileVisit, fields: readonly TypeField[], hasFiles: boolean): Html =>
  html`<div class="two"><div>${fieldsForm(visit, fields)}</div>
<div>${hasFiles && html`${pictureForm(visit, 'avatar')}${pictureForm(visit, 'cover')}`}${visibilityForm(visit)}${renameForm(visit)}</div></div>`
