"""One training step in four parts, the same as workloads/training/finetuning.h has them."""

import torch
import torch.nn.functional as F


class Trainer:
    """A decoder and one batch. `trained` are the tensors that get gradients; `optimizer` may be
    None: gradients only."""

    def __init__(self, decoder, tokens, targets, trained, optimizer):
        self.decoder, self.tokens, self.targets = decoder, tokens, targets.reshape(-1)
        self.trained, self.optimizer = trained, optimizer
        for tensor in trained:
            tensor.requires_grad_(True)

    @property
    def dtype(self):
        return self.decoder.weights.embedding.dtype

    def forward(self, sees=None):
        """`sees` is called with what goes into each layer, and with the last one's output."""
        self._output = self.decoder.hidden(self.tokens, sees)

    def loss(self):
        """Logits, mean cross-entropy (nats a token) and their gradients. The graph is cut at the
        last layer's output, so that this part ends where it ends in the native step."""
        hidden = self._output.detach().reshape(-1, self._output.shape[-1]).requires_grad_(True)
        logits = self.decoder.logits(hidden)
        # The softmax of a 16-bit type is taken in single precision, as published models do.
        loss = F.cross_entropy(logits.float(), self.targets)
        loss.backward()
        self._gradient = hidden.grad.reshape(self._output.shape)
        return loss.item()

    def backward(self):
        self._output.backward(self._gradient)
        self._output = self._gradient = None

    def update(self):
        if self.optimizer is not None:
            self.optimizer.step()
        # Given up, not zeroed: the next backward pass writes instead of adding.
        for tensor in self.trained:
            tensor.grad = None


class MomentumWithDecay(torch.optim.SGD):
    """SGD with momentum and a weight decay that stays out of the momentum, as AdamW's does."""

    def __init__(self, parameters, lr, momentum, decay):
        super().__init__(parameters, lr=lr, momentum=momentum)
        self._kept = 1 - lr * decay

    @torch.no_grad()
    def step(self, closure=None):
        for group in self.param_groups:
            torch._foreach_mul_(group["params"], self._kept)
        return super().step(closure)


def make_optimizer(constants, parameters, learning_rate, weight_decay):
    """`constants` as `perf-workloads settings` has them: kind, beta1, beta2, epsilon, momentum."""
    kind = constants["kind"]
    if kind == "adamw":
        return torch.optim.AdamW(
            parameters,
            lr=learning_rate,
            betas=(constants["beta1"], constants["beta2"]),
            eps=constants["epsilon"],
            weight_decay=weight_decay,
        )
    if kind == "sgd":
        return torch.optim.SGD(parameters, lr=learning_rate, weight_decay=weight_decay)
    if kind == "momentum":
        return MomentumWithDecay(parameters, learning_rate, constants["momentum"], weight_decay)
    raise ValueError(f"no such optimizer: {kind}")
