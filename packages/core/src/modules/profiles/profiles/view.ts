import type { GateConfig } from '../../../model/gate-config.ts'
import type { GatedField } from '../../../model/gated-fields.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
import type { SmartSection } from '../../../ports/storage/smart-sections.ts'
import type { ContentsEntry } from './contents.ts'
import type { FileSummary } from './profile-files.ts'
import type { PostSummary } from './profile-posts.ts'
import type { FollowedEvents } from './serialize-profile.ts'
import type { ServiceSummary } from './services-html.ts'

/** A profile with the data of its public document. */
export interface ProfileView {
  readonly profile: Profile
  readonly contents: readonly ContentsEntry[]
  readonly gates: GateConfig | undefined
  /** The newest; default: none. */
  readonly files?: readonly FileSummary[] | undefined
  /** The ids of files that are shown as images of its pages. */
  readonly shownFiles?: ReadonlySet<number> | undefined
  /** The newest posts that everyone may see; undefined in a service without a feed. */
  readonly posts?: readonly PostSummary[] | undefined
  /** All sections, or those that a reader sees; undefined in a service without sections. */
  readonly sections?: readonly SmartSection[] | undefined
  /** The first listed services; default: none. */
  readonly services?: readonly ServiceSummary[] | undefined
  /** Whether it lists services. */
  readonly sells: boolean
  /** 0 to 100. */
  readonly trustScore?: number | undefined
  /** How its events can be followed; default: they cannot. */
  readonly events?: FollowedEvents | undefined
  /** The fields that are omitted because of the gate. */
  readonly closed?: readonly GatedField[] | undefined
}

/** Whether any field of a profile is gated. */
export const isGated = ({ gates }: Pick<ProfileView, 'gates'>): boolean =>
  gates !== undefined && Object.values(gates.tiers).some(({ requirements }) => requirements.length > 0)
