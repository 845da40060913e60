import type { ScreenTexts } from '../../../../framework/module/screen.ts'
import { textOf, textsNamed } from '../../../../framework/module/screen-form.ts'
import { type EnteredLimits, enteredLimits } from '../spending-html.ts'

/** What a person chose on the consent page, as it was entered. */
export interface EnteredChoice extends EnteredLimits {
  readonly profile: string | undefined
  readonly scopes: readonly string[]
  /** The problems, by the names of the inputs. */
  readonly wrong: Readonly<Record<string, string | undefined>>
}

/** Reads what a person chose on the consent page. */
export const enteredChoice = (texts: ScreenTexts, wrong: EnteredChoice['wrong'] = {}): EnteredChoice => ({
  profile: textOf(texts, 'profile'),
  scopes: textsNamed(texts, 'scope'),
  wrong,
  limits: enteredLimits(texts),
})
