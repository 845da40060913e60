// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// The part of Multicall3 that the official facilitator classes call.
contract TestMulticall {
  struct Call {
    address target;
    bytes callData;
  }

  struct Result {
    bool success;
    bytes returnData;
  }

  function tryAggregate(bool requireSuccess, Call[] calldata calls) public payable returns (Result[] memory results) {
    results = new Result[](calls.length);
    for (uint256 i = 0; i < calls.length; i++) {
      (results[i].success, results[i].returnData) = calls[i].target.call(calls[i].callData);
      require(results[i].success || !requireSuccess, 'Multicall3: call failed');
    }
  }
}
