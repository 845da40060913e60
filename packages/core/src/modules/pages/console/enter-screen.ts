import type { FastifyRequest } from 'fastify'
import type {
  EnteredForm,
  ProfileVisit,
  Screen,
  ScreenAction,
  ScreenResult,
  ScreenView,
  ScreenVisit,
  SentFile,
} from '../../../framework/module/screen.ts'
import { clientOf } from '../../../http/pipeline/client-address.ts'
import { notFound } from '../../../kernel/errors.ts'
import type { Caller } from '../../../model/caller.ts'
import type { May } from '../../../model/permission.ts'
import type { ProfileService } from '../../profiles/profiles/index.ts'

/** What opening a screen needs. */
export interface EnterDeps {
  readonly profiles: Pick<ProfileService, 'get' | 'requirePermission'>
  readonly may: May
}

/** A request for a screen. */
export interface Entering {
  readonly request: FastifyRequest
  /** Below the prefix of the listener, without the query. */
  readonly path: string
  readonly caller: Caller
  /** Default: empty. */
  readonly query?: Readonly<Record<string, string>> | undefined
  readonly entered?: EnteredForm | undefined
  /** Default: none. */
  readonly files?: Readonly<Record<string, SentFile>> | undefined
}

/** A screen that the caller may open. */
export interface Visited {
  readonly visit: ScreenVisit
  /** The profile and the role of the caller in it; undefined on screens of no profile. */
  readonly ofProfile?: Pick<ProfileVisit, 'profile' | 'role'> | undefined
  get(): Promise<ScreenView>
  /** Returns what a form does; undefined for an action that the screen does not have. */
  actionOf(
    key: string,
  ):
    | (Pick<ScreenAction<ScreenVisit>, 'schema' | 'recent' | 'limit'> & { run(values: never): Promise<ScreenResult> })
    | undefined
}

type Post<Visit extends ScreenVisit> = Readonly<Record<string, ScreenAction<Visit>>>

const actionsOf =
  <Visit extends ScreenVisit>(post: Post<Visit>, visit: Visit): Visited['actionOf'] =>
  (key) => {
    const action = Object.hasOwn(post, key) ? post[key] : undefined
    return (
      action && {
        schema: action.schema,
        recent: action.recent,
        limit: action.limit,
        run: (values) => action.run(visit, values),
      }
    )
  }

/**
 * Opens a screen for a signed-in person.
 *
 * @throws `profile_not_found`, `not_profile_owner` for a screen of a profile; `not_found` for one of administrators
 */
export async function enterScreen(
  { profiles, may }: EnterDeps,
  screen: Screen,
  { request, path, caller, query = {}, entered, files = {} }: Entering,
): Promise<Visited> {
  const params = (request.params ?? {}) as Readonly<Record<string, string | number>>
  const text = (name: string) => {
    if (!Object.hasOwn(params, name)) throw new TypeError(`The path ${screen.path} has no parameter "${name}"`)
    return String(params[name])
  }
  const base = {
    site: request.eep.site,
    caller,
    path,
    query,
    entered,
    files,
    client: { address: clientOf(request), userAgent: request.headers['user-agent'] },
    text,
    number: (name: string) => Number(text(name)),
    onError: (error: unknown) => request.log.error({ err: error }, 'a part of a screen was left out'),
  }
  if (screen.section === 'profile') {
    const { permission = 'profile.read', post = {} } = screen
    const profile = await profiles.get(base.number('id'), caller)
    const role = await profiles.requirePermission(profile, caller, permission)
    const allows = (key: string) => Object.hasOwn(post, key) && may(role, post[key]?.permission ?? permission)
    const visit: ProfileVisit = { ...base, allows, profile, role, may: (action) => may(role, action) }
    return { visit, ofProfile: { profile, role }, get: () => screen.get(visit), actionOf: actionsOf(post, visit) }
  }
  // A screen of administrators does not exist for anyone else.
  if (screen.section === 'admin' && !caller.isAdmin) throw notFound()
  const { post = {} } = screen
  const visit: ScreenVisit = { ...base, allows: (key) => Object.hasOwn(post, key) }
  return { visit, get: () => screen.get(visit), actionOf: actionsOf(post, visit) }
}
