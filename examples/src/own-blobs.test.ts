import { blobStoreContract } from '@eep/core/testing'
import * as vitest from 'vitest'
import { memoryBlobs } from './own-blobs.ts'

blobStoreContract(vitest, () => memoryBlobs(), { leavesNothing: true })
