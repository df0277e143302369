"""Which token comes next, in plain PyTorch. The token is the one at share `unit` of the probability of
those that may be drawn, in the order of their numbers, as workloads/kernels/sampler.h has it: of the
same logits and units both sides draw the same tokens, but where the unit falls between two roundings
of the same sum."""

import torch


class Sampler:
    """`options`: method, temperature, top_k, top_p."""

    def __init__(self, options):
        self._temperature, self._top_k = options["temperature"], options["top_k"]
        self._top_p, self._method = options["top_p"], options["method"]
        self.choose = {
            "greedy": self._greedy,
            "temperature": self._any,
            "top-k": self._of_the_k,
            "top-p": self._of_the_nucleus,
        }[self._method]

    def distance(self, logits, unit, token):
        """How far `unit` is from the share of the probability that is the token's, as a share of all
        that may be drawn: 0 where the token is the right one. Greedy: how far its logit is from the
        largest, by the largest of all."""
        if self._method == "greedy":
            return float((logits.max() - logits[token]) / logits.abs().max())
        sums = self._weights(logits).double().cumsum(-1)
        before = float(sums[token - 1]) if token > 0 else 0.0
        position = unit * float(sums[-1])
        return max(before - position, position - float(sums[token]), 0.0) / float(sums[-1])

    def _greedy(self, logits, _):
        return int(logits.argmax())

    def _any(self, logits, unit):
        return _at(self._probabilities(logits), unit)

    def _of_the_nucleus(self, logits, unit):
        return _at(self._nucleus(logits), unit)

    def _of_the_k(self, logits, unit):
        tokens, weights = self._largest(logits)
        return int(tokens[_at(weights, unit)])

    def _probabilities(self, logits):
        return torch.softmax(logits.float() / self._temperature, -1)

    def _nucleus(self, logits):
        """Probabilities, 0 for what may not be drawn."""
        probabilities = self._probabilities(logits)
        descending, _ = probabilities.sort(descending=True)
        count = int(torch.searchsorted(descending.cumsum(-1), self._top_p))
        border = descending[min(count, descending.numel() - 1)]
        return probabilities.masked_fill_(probabilities < border, 0)

    def _largest(self, logits):
        """The k tokens, in the order of their numbers, and their probabilities."""
        values, tokens = torch.topk(logits.float(), min(self._top_k, logits.numel()), sorted=False)
        tokens, order = tokens.sort()
        return tokens, torch.softmax(values[order] / self._temperature, -1)

    def _weights(self, logits):
        if self._method == "top-k":
            tokens, weights = self._largest(logits)
            return torch.zeros(logits.numel()).scatter_(0, tokens, weights)
        return self._nucleus(logits) if self._method == "top-p" else self._probabilities(logits)


def _at(weights, unit):
    sums = weights.cumsum(-1)
    place = int(torch.searchsorted(sums, unit * float(sums[-1]), right=True))
    return min(place, weights.numel() - 1)
