import type { OptionalGroup } from '../../ports/storage/storage.ts'
import type { CoreContext, EndAddedStep, TakeOverStep } from './context.ts'
import type { AccountErasure } from './define-module.ts'
import type { AccountExporter, ProfileExporter } from './export-member.ts'

/** What the export of a group is made with. */
export type AccountExportContext<Group extends OptionalGroup = never> = Pick<
  CoreContext<Group>,
  'read' | 'clock' | 'publicUrl'
>

/** A file with the export of a group. It is loaded when an account is exported. */
export interface AccountExportFile<Group extends OptionalGroup = never> {
  /** Returns what the group adds to the archive of an account: its personal data, without that of others. */
  exportOfAccount(context: AccountExportContext<Group>): AccountExporter
}

/** A file with what a group adds to exports of profiles. It is loaded when a profile is exported while its feature is off. */
export interface ProfileExportFile<Group extends OptionalGroup = never> {
  /** Returns what the group adds to the archive of a profile. */
  exportOfProfile(context: AccountExportContext<Group>): ProfileExporter
}

/** A file with what must happen before an account is erased from a group whose feature is off. */
export interface ErasureFile<Group extends OptionalGroup = never> {
  /** Returns the step. While it throws, the account is kept and the erasure is retried later. */
  beforeErasure(context: Pick<CoreContext<Group>, 'read' | 'logger'>): NonNullable<AccountErasure['before']>
}

/** What the service does with the data of an account in a group of the storage, whether its feature is imported or not. */
export interface AccountData<Group extends OptionalGroup = never> {
  /** The feature whose data it is. Default: the data is of the base. */
  readonly feature?: string
  /** Ends all access that the person who registered the account may still have in the group. */
  readonly takeOver?: TakeOverStep<Group>
  /** Ends the credentials of the group that an intruder may have added lately. */
  readonly endAdded?: EndAddedStep<Group>
  /** Ends what a reset of the password ends in the group, in its transaction. */
  readonly passwordReset?: TakeOverStep<Group>
  readonly exports?: () => Promise<AccountExportFile<Group>>
  /** What profiles have in the group, for exports while the feature is off. While it is on, it exports this itself. */
  readonly exportsOfProfile?: () => Promise<ProfileExportFile<Group>>
  /** What happens before an account is erased while the feature is off. While it is on, it does this itself. */
  readonly beforeErasure?: () => Promise<ErasureFile<Group>>
}
