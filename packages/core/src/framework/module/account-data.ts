import type { OptionalGroup } from '../../ports/storage/storage.ts'
import type { CoreContext, TakeOverStep } from './context.ts'
import type { AccountExporter } from './export-member.ts'

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

/** What the service does with the data of an account in a group of the storage, whether its feature is imported or not. */
export interface AccountData<Group extends OptionalGroup = never> {
  /** The feature whose data it is. Default: the data is of the base. */
  readonly feature?: string
  /** Ends all access that the person who registered the account may still have in the group. */
  readonly takeOver?: TakeOverStep<Group>
  readonly exports?: () => Promise<AccountExportFile<Group>>
}
