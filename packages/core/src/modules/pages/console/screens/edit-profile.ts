import { z } from 'zod'
import { type ProfileVisit, type Screen, screenAction } from '../../../../framework/module/screen.ts'
import { fileQuotaReached, validationFailed } from '../../../../kernel/errors.ts'
import { isRecord } from '../../../../model/field-values.ts'
import { fileUrl } from '../../../../model/resource-addresses.ts'
import { jsonSchemaOf, type TypeData } from '../../../../model/type-data/index.ts'
import {
  CAPABILITIES,
  emailNotVerified,
  mergeTypeData,
  type ProfileService,
  profileFields,
  tooManyNames,
  usernameReserved,
  usernameSchema,
  usernameTaken,
  VISIBILITIES,
} from '../../../profiles/profiles/index.ts'
import { type FileService, fileTypeMismatch } from '../../../publishing/files/index.ts'
import { editProfileMessages, newProfileMessages } from '../messages.ts'
import { editProfileHtml, NETWORK_INPUT, networksOf, publicLinksHtml } from '../profile/edit-profile-html.ts'
import { fieldsOf } from '../profile/field-kinds.ts'
import { changesOf, customFieldsOf, TYPE_INPUT } from '../profile/field-values.ts'
import { newFields } from '../profile/type-inputs-html.ts'
import { uploadImage } from '../upload-image.ts'
import { many, optionalLine, optionalLines } from '../values.ts'

/** The services of the screen that edits a profile. */
export interface EditProfileServices {
  readonly profiles: Pick<ProfileService, 'updateById' | 'setVisibility' | 'update' | 'publicUrl'>
  /** Undefined where no files can be stored. */
  readonly files: Pick<FileService, 'begin'> | undefined
  readonly typeData: TypeData
}

/** A list that a form has in one line, separated by commas. */
const commaList = z
  .string()
  .transform((text) =>
    text
      .split(/[,、،;]/)
      .map((one) => one.trim())
      .filter((one) => one !== ''),
  )
  .pipe(profileFields.skills.unwrap())

const editedFields = z.looseObject({
  full_name: optionalLine(128),
  bio: optionalLines(5_000),
  skills: commaList,
  keywords: commaList,
  capabilities: many.pipe(z.array(z.enum(CAPABILITIES)).max(CAPABILITIES.length)),
  has_accent: z.literal('1').optional(),
  accent: profileFields.accent.unwrap().unwrap(),
  agent_instructions: optionalLines(10_000),
  agent_rules: optionalLines(10_000),
})

/** The links of a profile after a form: empty ones are removed. */
function socialsOf(stored: Readonly<Record<string, string>>, texts: Readonly<Record<string, unknown>>) {
  const entered = networksOf(stored).map((network) => {
    const text = texts[`${NETWORK_INPUT}${network}`]
    return [network, typeof text === 'string' ? text.trim() : stored[network]] as const
  })
  return Object.fromEntries(entered.filter((entry): entry is readonly [string, string] => Boolean(entry[1])))
}

const pictureOf = z.object({ which: z.enum(['avatar', 'cover']) })
const urlField = { avatar: 'avatarUrl', cover: 'coverUrl' } as const

/** The inputs that an issue of a validation is about: `/type_data/price/amount` is `t.price`, `/socials/github` is `s.github`. */
function inputOfIssue(issue: unknown): string {
  const [, field = '', member = ''] = isRecord(issue) ? String(issue.path).split('/') : []
  if (field === 'type_data') return `${TYPE_INPUT}${member}`
  return field === 'socials' ? `${NETWORK_INPUT}${member}` : field
}

function inputsOf({ code, details }: { readonly code: string; readonly details?: unknown }): readonly string[] {
  if (code === usernameTaken.code || code === usernameReserved.code) return ['username']
  if (code === emailNotVerified.code) return ['visibility']
  const issues = isRecord(details) && Array.isArray(details.issues) ? details.issues : []
  return issues.map(inputOfIssue)
}

/** The screen that edits a profile: its fields, pictures, visibility and address. */
export function editProfileScreen({ profiles, files, typeData }: EditProfileServices): Screen {
  const save = screenAction({
    permission: 'profile.edit',
    schema: editedFields,
    async run({ profile, caller, path }: ProfileVisit, { has_accent, ...values }) {
      const schema = jsonSchemaOf(typeData, profile.type, profiles.publicUrl)
      // The other texts of the form; the schema has checked the rest.
      const texts = values as Readonly<Record<string, unknown>> as Readonly<Record<string, string>>
      const socials = profileFields.socials.unwrap().safeParse(socialsOf(profile.socials, texts))
      if (!socials.success) {
        const issues = socials.error.issues.map(({ path: [network] }) => ({ path: `/socials/${String(network)}` }))
        throw validationFailed({ details: { in: 'body', issues } })
      }
      await profiles.update(
        profile.type,
        profile.username,
        {
          fullName: values.full_name,
          bio: values.bio,
          skills: values.skills,
          keywords: values.keywords,
          capabilities: values.capabilities,
          accent: has_accent ? values.accent : null,
          agentInstructions: values.agent_instructions,
          agentRules: values.agent_rules,
          socials: socials.data,
          customFields: customFieldsOf(profile.customFields, texts, newFields(texts)),
          typeDataFrom: (stored) =>
            mergeTypeData(typeData[profile.type], stored, changesOf(fieldsOf(schema), texts, stored)),
        },
        caller,
      )
      return { to: path, said: 'saved' }
    },
  })

  const upload = screenAction({
    permission: 'files.edit',
    schema: pictureOf,
    async run(visit: ProfileVisit, { which }) {
      const { profile, caller, path } = visit
      const fileId = files && (await uploadImage(files, visit, visit.files[which], which))
      if (fileId === undefined) throw validationFailed({ details: { in: 'body', issues: [{ path: `/${which}` }] } })
      await profiles.updateById(profile.id, { [urlField[which]]: fileUrl(profiles.publicUrl, fileId) }, caller)
      return { to: path, said: 'picture' }
    },
  })

  return {
    name: 'profileEdit',
    path: '/manage/profiles/:id/edit',
    section: 'profile',
    permission: 'profile.edit',
    errors: [emailNotVerified, usernameTaken, usernameReserved, tooManyNames, fileQuotaReached, fileTypeMismatch],
    hasFiles: true,
    nav: { position: 10, label: (page) => editProfileMessages(page)('nav') },
    title: (page) => editProfileMessages(page)('title'),
    said: (outcome, page) =>
      outcome === 'saved' || outcome === 'picture' || outcome === 'shown' || outcome === 'renamed'
        ? editProfileMessages(page)(outcome)
        : undefined,
    problem({ code }, page) {
      if (code === usernameTaken.code) return newProfileMessages(page)('taken')
      if (code === usernameReserved.code) return editProfileMessages(page)('reserved')
      if (code === emailNotVerified.code) return editProfileMessages(page)('verifyFirst')
      return undefined
    },
    wrong: (input, page) => (input === 'username' ? newProfileMessages(page)('usernameRule') : undefined),
    inputsOf,
    post: {
      save,
      upload,
      removePicture: screenAction({
        permission: 'profile.edit',
        schema: pictureOf,
        async run({ profile, caller, path }: ProfileVisit, { which }) {
          await profiles.updateById(profile.id, { [urlField[which]]: null }, caller)
          return { to: path, said: 'saved' }
        },
      }),
      show: screenAction({
        permission: 'profile.show',
        schema: z.object({ visibility: z.enum(VISIBILITIES) }),
        async run({ profile, caller, path }: ProfileVisit, { visibility }) {
          await profiles.setVisibility(profile.id, visibility, caller)
          return { to: path, said: 'shown' }
        },
      }),
      rename: screenAction({
        permission: 'profile.rename',
        schema: z.object({ username: z.string().trim().toLowerCase().pipe(usernameSchema) }),
        async run({ profile, caller, path }: ProfileVisit, { username }) {
          await profiles.update(profile.type, profile.username, { username }, caller)
          return { to: path, said: 'renamed' }
        },
      }),
    },
    async get(visit) {
      const fields = fieldsOf(jsonSchemaOf(typeData, visit.profile.type, profiles.publicUrl))
      return { beside: publicLinksHtml(visit), body: editProfileHtml(visit, fields, files !== undefined) }
    },
  }
}
