import type {
  NotificationDefinition,
  NotificationInput,
  NotificationText,
} from '../../../framework/module/define-notification.ts'
import { withNeededIsolates } from '../../../kernel/isolation.ts'
import { actingAppText } from '../../../model/acting-app-text.ts'
import type { NotificationPages } from '../../../model/frontend-links.ts'
import type { PageLanguage } from '../../../model/messages.ts'
import type { NamedProfile, Notification } from '../../../ports/storage/notifications.ts'
import { profilePath } from '../../profiles/profiles/index.ts'
import { noticeMessages } from './messages.ts'

/** Adds the app by which it was done. */
function withApp(text: NotificationText, through: Notification['through'], page: PageLanguage): NotificationText {
  if (!through) return text
  return { ...text, body: [...(text.body ?? []), noticeMessages(page)('by', { app: actingAppText(through) })] }
}

/** A text for JSON and emails: isolates stay only around names that are read in another direction than their sentence. */
export const plainText = ({ title, body, ...others }: NotificationText): NotificationText => ({
  title: withNeededIsolates(title),
  ...(body && { body: body.map(withNeededIsolates) }),
  ...others,
})

type Written = Pick<Notification, 'kind' | 'data' | 'count' | 'actors' | 'about' | 'through'>

/** Creates the texts of notifications from the definitions of their kinds. */
export function createTexts(
  definitions: readonly NotificationDefinition[],
  frontendUrls: NotificationPages,
  onError: (error: unknown) => void,
) {
  const byKind = new Map(definitions.map((definition) => [definition.kind, definition]))
  const toFact = (profile: NamedProfile | null | undefined): NotificationInput['actor'] =>
    profile ? { username: profile.username, path: profilePath(profile) } : undefined

  return {
    definitions,
    kinds: [...byKind.keys()],
    get: (kind: string): NotificationDefinition | undefined => byKind.get(kind),

    /** Returns the current text of a notification for a page, or the summary of its kind when the text function throws. */
    write({ kind, data, count, actors, about, through }: Written, { language = 'en', translations }: PageLanguage) {
      const definition = byKind.get(kind)
      const [actor, subject] = [toFact(actors[0]), toFact(about)]
      const facts: NotificationInput = { data, count, actor, about: subject, frontendUrls, language, translations }
      const fallback: NotificationText = { title: definition?.summary ?? kind }
      try {
        return withApp(definition?.text(facts) ?? fallback, through, facts)
      } catch (error) {
        onError(error)
        return fallback
      }
    },
  }
}

export type NotificationTexts = ReturnType<typeof createTexts>
