import { MASTERCHAIN, SHARD_ALL } from '../../ton/block-id.ts'
import { parseCatchainConfig, parseValidatorSet } from '../../ton/tlb/validators.ts'
import { type ValidatorSubset, validatorSubset } from '../../ton/validator-set.ts'
import { type MasterConfig, neededParam } from './master-config.ts'

const CATCHAIN_CONFIG = 28
const CURRENT_VALIDATORS = 34

/** The validators who make the masterchain block behind a state. Throws `malformed`. */
export const masterchainValidators = ({ params, history }: MasterConfig): ValidatorSubset =>
  validatorSubset(
    parseValidatorSet(neededParam(params, CURRENT_VALIDATORS)),
    parseCatchainConfig(neededParam(params, CATCHAIN_CONFIG)),
    { workchain: MASTERCHAIN, shard: SHARD_ALL },
    history.validator_info.catchain_seqno,
  )
