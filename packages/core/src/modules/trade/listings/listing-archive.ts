import { z } from 'zod'
import type { ProfileExportFile } from '../../../framework/module/account-data.ts'
import { jsonMember } from '../../../framework/module/export-member.ts'
import { importedTimes } from '../../../framework/module/imported-times.ts'
import { parseMember } from '../../../framework/module/parse-member.ts'
import { importBatches, type ProfileImporter } from '../../../framework/module/profile-import.ts'
import { listingDetails } from '../../../model/listing-details.ts'
import { listingCreated } from './events.ts'
import { newListingId } from './listing-id.ts'
import { serializeListing } from './schemas.ts'
import { MAX_LISTINGS } from './service.ts'

const SERVICES_PATH = 'services.json'

const time = z.iso.datetime().transform((text) => new Date(text))
/** The rating is that of the reviews, which are not part of an archive. */
const exportedListing = listingDetails
  .extend({ id: z.string(), rating: z.unknown().optional(), created_at: time, updated_at: time })
  .transform(({ id: _id, rating: _rating, created_at, updated_at, ...details }) => ({
    details,
    created_at,
    updated_at,
  }))
const exportedListings = z.array(exportedListing).max(MAX_LISTINGS)

/** The services that a profile lists for sale. */
export const exportOfProfile: ProfileExportFile<'listings'>['exportOfProfile'] = ({ read }) =>
  async function* ({ profile }) {
    const listings = await read.listings.listOfProfile(profile.id)
    yield jsonMember(SERVICES_PATH, listings.map(serializeListing))
  }

/** Imports services with new ids and their times, and without ratings: buyers of the other service gave them. */
export const createListingImporter = (): ProfileImporter => ({
  reads: (path) => path === SERVICES_PATH,
  async check(source) {
    const value = (await source.json(SERVICES_PATH)) ?? []
    const listings = parseMember(SERVICES_PATH, exportedListings, value)
    return {
      counts: { services: listings.length },
      *store({ profile, accountId, at, rewrite }) {
        for (const batch of importBatches(listings)) {
          const rewritten = batch.map(({ details, ...times }) => {
            // New addresses may be longer than the former ones.
            const text = details.description && rewrite(details.description)
            const description = parseMember(SERVICES_PATH, listingDetails.shape.description, text)
            return {
              details: description === undefined ? details : { ...details, description },
              ...importedTimes(times, at),
            }
          })
          yield async (tx, emit) => {
            for (const listing of rewritten) {
              const id = newListingId()
              await tx.listings?.insert({ id, profileId: profile.id, ...listing })
              emit(listingCreated, { serviceId: id }, { profileId: profile.id, accountId })
            }
          }
        }
      },
    }
  },
})
