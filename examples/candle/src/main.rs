//! A converted kernel as an operation of candle.
//!
//! ```sh
//! cutile2rs convert examples/kernels/rowwise.py -o build/examples/kernels
//! cargo run --release --features cuda --manifest-path examples/candle/Cargo.toml     # needs a GPU and nvcc
//! ```
//! Without the feature `cuda` the program builds anywhere, and computes on the CPU.

use candle_core::{CpuStorage, CustomOp1, Device, Layout, Result, Shape, Tensor, bail};

/// Weighs each row by position, and divides it by its sum.
struct WeighRows;

impl CustomOp1 for WeighRows {
    fn name(&self) -> &'static str {
        "weigh-rows"
    }

    fn cpu_fwd(&self, storage: &CpuStorage, layout: &Layout) -> Result<(CpuStorage, Shape)> {
        let (Some((first, end)), (_, columns)) =
            (layout.contiguous_offsets(), layout.shape().dims2()?)
        else {
            bail!("weigh-rows: the CPU's version takes contiguous rows only");
        };
        let rows = storage.as_slice::<f32>()?[first..end].chunks(columns);
        let weighed = rows.flat_map(|row| {
            let total: f32 = row.iter().sum();
            row.iter()
                .enumerate()
                .map(move |(j, value)| value * (j + 1) as f32 / total)
        });
        Ok((CpuStorage::F32(weighed.collect()), layout.shape().clone()))
    }

    #[cfg(feature = "cuda")]
    fn cuda_fwd(
        &self,
        storage: &candle_core::CudaStorage,
        layout: &Layout,
    ) -> Result<(candle_core::CudaStorage, Shape)> {
        cuda::weigh_rows(storage, layout)
    }
}

#[cfg(feature = "cuda")]
mod cuda {
    use candle_core::backend::BackendStorage;
    use candle_core::cuda_backend::cudarc::driver::{DevicePtr, DevicePtrMut};
    use candle_core::{CudaStorage, Error, Layout, Result, Shape};
    use cutile2rs_kernels::rowwise::launch::WeighRows;
    use cutile2rs_kernels::runtime::typed::Config;
    use cutile2rs_kernels::runtime::{Array, DType};

    /// Any strides will do: the kernel is compiled for those that it meets.
    pub fn weigh_rows(storage: &CudaStorage, layout: &Layout) -> Result<(CudaStorage, Shape)> {
        let device = storage.device().clone();
        let stream = device.cuda_stream();
        let (rows, columns) = layout.shape().dims2()?;
        let x = storage
            .as_cuda_slice::<f32>()?
            .slice(layout.start_offset()..);
        // SAFETY: the kernel writes all of it.
        let mut out = unsafe { device.alloc::<f32>(rows * columns)? };
        {
            let (x_address, _reads) = x.device_ptr(&stream);
            let (out_address, _writes) = out.device_ptr_mut(&stream);
            let shape = [rows as i64, columns as i64];
            let strides: Vec<i64> = layout
                .stride()
                .iter()
                .map(|stride| *stride as i64)
                .collect();
            let kernel = WeighRows {
                x: Array::new(x_address, &shape, &strides, DType::F32).map_err(Error::wrap)?,
                out: Array::row_major(out_address, &shape, DType::F32).map_err(Error::wrap)?,
                tile: columns.next_power_of_two() as i64,
            };
            let ordinal = stream.context().ordinal() as i32;
            let config = Config::new([rows as u32, 1, 1]).on(ordinal, stream.cu_stream() as u64);
            // SAFETY: the arrays are as large as said, apart from each other, and candle frees them on the same stream.
            unsafe { kernel.launch(&config).map_err(Error::wrap)? };
        }
        Ok((
            CudaStorage::wrap_cuda_slice(out, device),
            layout.shape().clone(),
        ))
    }
}

fn main() -> Result<()> {
    let device = Device::cuda_if_available(0)?;
    let x = Tensor::arange(1f32, 4097f32, &device)?.reshape((8, 512))?;
    let weighed = x.apply_op1_no_bwd(&WeighRows)?;
    println!(
        "{:?} on {:?}: {}",
        weighed.shape(),
        device.location(),
        weighed.narrow(1, 0, 4)?
    );
    Ok(())
}
