import type { z } from 'zod'
import type { Html } from '../../http/html/html.ts'
import type { PageScript } from '../../http/html/script.ts'
import type { Crumb, Site } from '../../http/html/view.ts'
import type { ErrorDefinition } from '../../kernel/errors.ts'
import type { Caller } from '../../model/caller.ts'
import type { PageLanguage } from '../../model/messages.ts'
import type { Action, Role } from '../../model/permission.ts'
import type { Profile } from '../../ports/storage/profiles.ts'

/** The part of the navigation with a screen, and who opens it: the team of a profile, an account, or an administrator. */
export type ScreenSection = 'profile' | 'account' | 'admin'

/** The texts of a form by the names of its inputs; a list for inputs that were sent more than once. */
export type ScreenTexts = Readonly<Record<string, string | readonly string[]>>

/** A file of a form. */
export interface SentFile {
  readonly filename: string
  readonly bytes: Buffer
}

/** A form that was not accepted, which its screen shows again. */
export interface EnteredForm {
  readonly texts: ScreenTexts
  /** What went wrong, by the names of the inputs. */
  readonly wrong: Readonly<Record<string, string>>
  /** Why it was not accepted. Undefined for a form that is shown again after its session had ended. */
  readonly error?: unknown
}

/** The browser of a person on a screen. */
export interface ScreenClient {
  /** Its address, under which wrong passwords are counted. */
  readonly address: string
  /** Its `User-Agent` header. */
  readonly userAgent: string | undefined
}

/** A person on a screen. */
export interface ScreenVisit {
  readonly site: Site
  readonly caller: Caller
  /** The path of the screen with its parameters, below the prefix of the listener. */
  readonly path: string
  /** The texts of the query. */
  readonly query: Readonly<Record<string, string>>
  /** The form that was not accepted. */
  readonly entered?: EnteredForm | undefined
  /** The files of the form, by the names of their inputs. */
  readonly files: Readonly<Record<string, SentFile>>
  readonly client: ScreenClient
  /** Returns a parameter of the path that is a positive integer. */
  number(name: string): number
  /** Returns a parameter of the path. */
  text(name: string): string
  /** Whether the caller may do an action of the screen. Its button is shown only then. */
  allows(action: string): boolean
  /** Logs an error of a part that the screen is shown without. */
  onError(error: unknown): void
}

/** A member of the team of a profile, on a screen of it. */
export interface ProfileVisit extends ScreenVisit {
  readonly profile: Profile
  readonly role: Role
  /** Whether the role of the caller permits an action on the profile. */
  may(action: Action): boolean
}

/** What a screen shows. */
export interface ScreenView {
  /** Default: that of the screen. */
  readonly title?: string | undefined
  /** The pages above it. Default: none. */
  readonly crumbs?: readonly Crumb[] | undefined
  /** A link or a form beside the title. */
  readonly beside?: Html | false | undefined
  readonly lead?: string | undefined
  readonly body: Html
  /** The scripts of the screen, beside that of all pages. Default: none. */
  readonly scripts?: readonly PageScript[] | undefined
}

/**
 * What follows a form: another page, with what was done in one word, or a view. A view changes nothing, unless it is final: then the form
 * is not processed again, and shows the same view. A final view that is secret is shown once, and not stored: the form is then refused.
 */
export type ScreenResult =
  | {
      readonly to: string
      readonly said?: string | undefined
      /** What becomes of the session cookie: that of a new session, or none because the session has ended. Default: unchanged. */
      readonly session?: { readonly cookie: string } | 'ended' | undefined
    }
  | {
      readonly view: ScreenView
      readonly isFinal?: boolean | undefined
      readonly isSecret?: boolean | undefined
      readonly to?: undefined
    }

/** What a form of a screen does. */
export interface ScreenAction<Visit extends ScreenVisit, Values = never> {
  /** What the role of the caller must permit. Default: what opens the screen. */
  readonly permission?: Action | undefined
  /**
   * Whether it is done only within ten minutes after the person proved to own the account; otherwise a page asks for the proof, and keeps
   * what was entered. `sometimes`: when its service answers with `recent_sign_in_required`. Default: not at all; `true` on screens of
   * administrators.
   */
  readonly recent?: true | 'sometimes' | undefined
  /** The rate group that it counts in besides that of forms: `auth` for checks of a password or code and for emails. Default: none. */
  readonly limit?: 'auth' | undefined
  /** The values of the form. The message of an issue is shown as it is when it is from {@link Screen.problem}. */
  readonly schema: z.ZodType
  /** Calls a service, and returns what follows. An error of the service shows the form again, as it was entered. */
  run(visit: Visit, values: Values): Promise<ScreenResult>
}

/** A screen of one section. */
export interface ScreenOf<Section extends ScreenSection, Visit extends ScreenVisit> {
  /** Unique, in camel case, and begins with the name of a host's module: `quotesPrices`. Operations are named after it. */
  readonly name: string
  /** That of a profile begins with `/manage/profiles/:id`. Parameters are positive integers, unless `texts` names them. */
  readonly path: string
  readonly section: Section
  /** What the role of the caller must permit. Default: any role in the team of the profile. */
  readonly permission?: Action | undefined
  /** The parameters of the path that are texts. */
  readonly texts?: readonly string[] | undefined
  title(page: PageLanguage): string
  /** Its link in the navigation: lower positions come first. Default: the navigation has none. */
  readonly nav?: { readonly position: number; label?(page: PageLanguage): string } | undefined
  /** The name of the screen that the navigation marks in its place. Default: the nearest one above its path. */
  readonly within?: string | undefined
  /** The names of the texts of its query. */
  readonly query?: readonly string[] | undefined
  get(visit: Visit): Promise<ScreenView>
  /** What its forms do, by the value of their input `do`. */
  readonly post?: Readonly<Record<string, ScreenAction<Visit>>> | undefined
  /** The text after an action, by the `said` of its result. */
  said?(outcome: string, page: PageLanguage): string | undefined
  /** What people read about an error; undefined for errors that all screens know. */
  problem?(error: { readonly code: string; readonly details?: unknown }, page: PageLanguage): string | undefined
  /** What people read beside an input with a value that is not valid. Default: a sentence that fits all. */
  wrong?(input: string, page: PageLanguage): string | undefined
  /** The inputs that an error is about, which show it beside them. Default: it is about the whole form. */
  inputsOf?(error: { readonly code: string; readonly details?: unknown }): readonly string[]
  /** The errors of its services, for the OpenAPI document. Those of opening a screen are added. */
  readonly errors?: readonly ErrorDefinition[] | undefined
  /** The largest form, in bytes. Default: 65,536. */
  readonly maxFormBytes?: number | undefined
  /** Whether its forms send files. Default: false. */
  readonly hasFiles?: boolean | undefined
}

/** A page of the console: what it shows, and what its forms do. */
export type Screen = ScreenOf<'profile', ProfileVisit> | ScreenOf<'account' | 'admin', ScreenVisit>

/** A screen, and the module that declares it. */
export interface DeclaredScreen {
  readonly screen: Screen
  readonly module: string
}

/** Declares what a form of a screen does; `run` gets the values of the schema. */
export const screenAction = <Schema extends z.ZodType, Visit extends ScreenVisit>(action: {
  readonly permission?: Action | undefined
  readonly recent?: true | 'sometimes' | undefined
  readonly limit?: 'auth' | undefined
  readonly schema: Schema
  run(visit: Visit, values: z.output<Schema>): Promise<ScreenResult>
}): ScreenAction<Visit> => action
