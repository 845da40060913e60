import type { DeclaredScreen, Screen, ScreenView } from '../../../framework/module/screen.ts'
import { type Html, html } from '../../../http/html/html.ts'
import { imageHref } from '../../../http/html/image-href.ts'
import { pageMessages } from '../../../http/html/messages.ts'
import { faceHtml } from '../../../http/html/pieces.ts'
import { type HtmlView, hrefOn, type Site } from '../../../http/html/view.ts'
import type { May, Role } from '../../../model/permission.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
import type { AccountService } from '../../people/accounts/index.ts'
import { CONSOLE_STYLE } from './console-style.ts'
import type { Visited } from './enter-screen.ts'
import { consoleMessages } from './messages.ts'

/** What the frame of screens needs. */
export interface FrameDeps {
  readonly screens: readonly DeclaredScreen[]
  readonly accounts: Pick<AccountService, 'me'>
  readonly may: May
}

/** The content of the frame. */
export interface Framed {
  readonly screen: Screen
  readonly visited: Visited
  readonly view: ScreenView
  /** What went wrong with the last form. */
  readonly problem?: string | undefined
  /** The address of what the last form made when it was sent before. */
  readonly made?: string | undefined
}

/** Pages of accounts that are not screens, as far as the listener has them. */
const ACCOUNT_PAGES = [
  { key: 'plan', path: '/account/plan' },
  { key: 'notifications', path: '/account/notifications' },
  { key: 'messages', path: '/messages' },
  { key: 'bookmarks', path: '/account/bookmarks' },
  { key: 'transfers', path: '/account/transfers' },
] as const

/** The profiles that the navigation links to. */
const MAX_PROFILES = 12

const nameOf = ({ fullName, username }: Pick<Profile, 'fullName' | 'username'>) => fullName ?? username

/** Returns the screens of a section that the navigation has, in order. */
const listed = (screens: readonly DeclaredScreen[], section: Screen['section']) =>
  screens
    .map(({ screen }) => screen)
    .filter((screen) => screen.section === section && screen.nav !== undefined)
    .sort((one, other) => (one.nav?.position ?? 0) - (other.nav?.position ?? 0))

/** Returns the screens of a profile that a role opens. */
const openTo = ({ screens, may }: Pick<FrameDeps, 'screens' | 'may'>, role: Role) =>
  listed(screens, 'profile').filter(({ permission = 'profile.read' }) => may(role, permission))

const pathOfProfile = ({ path }: Screen, id: number) => path.replace(':id', String(id))

/** Returns the path of the first screen of a profile that a role opens; undefined when there is none. */
function firstScreenPath(
  deps: Pick<FrameDeps, 'screens' | 'may'>,
  { id }: Pick<Profile, 'id'>,
  role: Role,
): string | undefined {
  const [first] = openTo(deps, role)
  return first && pathOfProfile(first, id)
}

/** A link of the navigation. */
interface NavLink {
  readonly href: string
  readonly text: string | Html
  readonly isCurrent?: boolean | undefined
}

const linksHtml = (site: Site, links: readonly NavLink[]) =>
  html`<ul>${links.map(({ href, text, isCurrent }) => html`<li><a href="${hrefOn(site, href)}"${isCurrent && html` aria-current="page"`}>${text}</a></li>`)}</ul>`

/** Returns the screen of the navigation that another one belongs to: itself, else the nearest one above its path. */
const currentOf = (screens: readonly DeclaredScreen[], current: Screen): Screen | undefined =>
  current.nav
    ? current
    : current.within !== undefined
      ? screens.find(({ screen }) => screen.name === current.within)?.screen
      : listed(screens, current.section)
          .filter(({ path }) => current.path.startsWith(`${path}/`))
          .sort((one, other) => other.path.length - one.path.length)[0]

/** Writes the navigation of the console: the screens of the profile, the other profiles, and the account. */
async function navHtml(deps: FrameDeps, { screen, visited: { visit, ofProfile } }: Framed): Promise<Html> {
  const { site, caller } = visit
  const say = consoleMessages(site)
  const { profiles } = await deps.accounts.me(caller)
  const current = currentOf(deps.screens, screen)
  const link = (each: Screen, path = each.path): NavLink => ({
    href: path,
    text: each.nav?.label?.(site) ?? each.title(site),
    isCurrent: each === current,
  })
  const tasks = ofProfile
    ? openTo(deps, ofProfile.role).map((each) => link(each, pathOfProfile(each, ofProfile.profile.id)))
    : []
  const others = profiles
    .filter(({ profile }) => profile.id !== ofProfile?.profile.id)
    .slice(0, MAX_PROFILES)
    .flatMap(({ profile, role }) => {
      const href = firstScreenPath(deps, profile, role)
      return href === undefined ? [] : [{ href, text: html`<bdi>${nameOf(profile)}</bdi>` }]
    })
  const ofAccount = listed(deps.screens, 'account')
  const pages = ACCOUNT_PAGES.filter(
    ({ path }) => site.has?.(path) && !ofAccount.some((each) => each.path === path),
  ).map(({ key, path }) => ({ href: path, text: say(key) }))
  const ofAdmin = caller.isAdmin ? listed(deps.screens, 'admin') : []
  const name = ofProfile ? nameOf(ofProfile.profile) : (caller.account.fullName ?? caller.account.username)
  const portrait = ofProfile ? ofProfile.profile.avatarUrl : (site.viewer?.portrait ?? null)
  const face = faceHtml(name, imageHref(portrait, site), site, true)
  const here = tasks.find(({ isCurrent }) => isCurrent)?.text ?? screen.title(site)
  return html`<nav class="side" aria-label="${say('console')}"><details class="switch"><summary>${face}<span><bdi>${name}</bdi><br><small>${here}</small></span></summary></details>
<div class="tasks"><p class="who">${face}<bdi>${name}</bdi></p>
${tasks.length > 0 && linksHtml(site, tasks)}<h2>${say(ofProfile ? 'otherProfiles' : 'profiles')}</h2>${linksHtml(site, [...others, ...listedNew(deps, screen, say('newProfile'))])}
<h2>${say('account')}</h2>${linksHtml(site, [{ href: '/dashboard', text: say('dashboard'), isCurrent: screen.path === '/dashboard' }, ...ofAccount.filter(({ path }) => path !== NEW_PROFILE_PATH).map((each) => link(each)), ...pages])}
${
  ofAdmin.length > 0 &&
  html`<h2>${say('administration')}</h2>${linksHtml(
    site,
    ofAdmin.map((each) => link(each)),
  )}`
}</div></nav>\n`
}

/** The path of the screen that creates a profile. */
export const NEW_PROFILE_PATH = '/manage/profiles/new'

const listedNew = ({ screens }: FrameDeps, current: Screen, text: string): readonly NavLink[] =>
  screens.some(({ screen }) => screen.path === NEW_PROFILE_PATH)
    ? [{ href: NEW_PROFILE_PATH, text, isCurrent: current.path === NEW_PROFILE_PATH }]
    : []

/** Returns the page of a screen: beside its navigation, below its title and what went wrong. */
export async function frameView(deps: FrameDeps, framed: Framed): Promise<HtmlView> {
  const { screen, visited, view, problem, made } = framed
  const { site } = visited.visit
  const title = view.title ?? screen.title(site)
  const name = visited.ofProfile && nameOf(visited.ofProfile.profile)
  const whole = name === undefined ? title : `${title} · ${name}`
  const { crumbs, beside, lead, body, scripts } = view
  return {
    layout: 'console',
    styles: [CONSOLE_STYLE],
    hasScript: scripts !== undefined,
    scripts,
    crumbs,
    side: await navHtml(deps, framed),
    title: problem === undefined ? whole : pageMessages(site)('problem', { title: whole }),
    head: html`<div class="head"><h1>${title}</h1>${beside}</div>
${problem !== undefined && html`<div class="problem" role="alert" tabindex="-1" autofocus><p>${problem}</p>${made !== undefined && html`<p><a href="${made}">${consoleMessages(site)('showMade')}</a></p>`}</div>\n`}${lead && html`<p class="lead">${lead}</p>\n`}${body}`,
  }
}
